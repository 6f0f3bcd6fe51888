// Write the TypeScript of the how-to page as functions, so that it is compiled and run as it stands.
import { readFileSync, writeFileSync } from "node:fs";

const page = readFileSync(
    new URL("../../../docs/how-to/gate-an-ai-sdk-agent.md", import.meta.url),
    "utf-8",
);
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
const imported = /^import .*;\n/gm;
const imports = new Set(blocks.flatMap((block) => block.match(imported)));
imports.add('import type { LanguageModel } from "ai";\n');
const named = new Map();
for (const one of imports) {
    const [, type, names, from] = /^import (type )?\{ (.*) \} from "(.*)";/.exec(one);
    for (const name of names.split(", ")) named.set(`${type ?? ""}${name}`, from);
}
const head = [...named].map(([name, from]) => `import { ${name} } from "${from}";\n`).join("");
const written = blocks.map((block, number) => {
    const given = block.includes("MODEL") ? "MODEL: LanguageModel" : "";
    const end = block.includes("const { text }") ? "return text;\n" : "";
    return `\nexport async function block${number + 1}(${given}) {\n${block.replace(imported, "")}${end}}\n`;
});
writeFileSync(new URL("page.ts", import.meta.url), head + written.join(""));
