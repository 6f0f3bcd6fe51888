"""Write the types of the TypeScript client from the OpenAPI document.

`python scripts/typescript_types.py` writes sdk/typescript/src/schema.ts anew; a test compares it.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from api.app import create_app

TARGET = Path(__file__).resolve().parents[1] / "sdk/typescript/src/schema.ts"
SENT = ("OneProposal", "DeclaredTool", "PermitOutcome")
"""A field with a default may be left out of what is sent; in an answer it is always there."""
ANSWERED = ("CatalogEntry", "ProposalView", "KeptTool", "Permit", "ProblemDetails")
_HEAD = "// Written by scripts/typescript_types.py from the OpenAPI document; do not edit.\n"
_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
_PLAIN |= {"null": "null"}

Json = dict[str, Any]  # a piece of an OpenAPI document


def typescript() -> str:
    """Return the file: an interface for each noun that is sent or answered, and those in it."""
    schemas = create_app().openapi()["components"]["schemas"]
    written: dict[str, str] = {}
    for names, is_sent in ((SENT, True), (ANSWERED, False)):
        wanted = list(names)
        while wanted:
            name = wanted.pop(0)
            if name in written or name == "JsonValue":
                continue
            written[name] = _interface(name, schemas[name], is_sent=is_sent)
            inner = re.findall(r"#/components/schemas/(\w+)", json.dumps(schemas[name]))
            wanted += [one for one in inner if one not in written]
    return _HEAD + "".join(f"\n{written[name]}" for name in sorted(written))


def _interface(name: str, schema: Json, *, is_sent: bool) -> str:
    needed = schema.get("required", ())
    lines = [f"/** {_sentence(schema['description'])} */", f"export interface {name} {{"]
    for field, given in schema["properties"].items():
        if told := given.get("description"):
            lines.append(f"  /** {_sentence(told)} */")
        mark = "?" if is_sent and field not in needed else ""
        lines.append(f"  {field}{mark}: {_type(given)};")
    return "\n".join([*lines, "}", ""])


def _type(schema: Json) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "unknown" if name == "JsonValue" else str(name)
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    match schema.get("type"):
        case "array":
            inner = _type(schema["items"])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object":
            return "Record<string, unknown>"
        case plain:
            return _PLAIN[str(plain)]


def _sentence(text: str) -> str:
    return text.partition("\n\n")[0].replace("\n", " ").replace("*/", "* /")


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
