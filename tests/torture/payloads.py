"""Texts that would be SQL, a full-text query, a JSON path or a file to who reads them as one."""

from collections.abc import Sequence
from itertools import product

CANARY = "krakatoa-7741"
"""What only the other tenant has, and a file nobody may read; no payload holds all of it."""

_QUOTES = ("'", '"', "')", '")', "`", "]", "'))")
_TAILS = (
    " OR 1=1 --",
    " OR tenant_id='borealis' --",
    " UNION SELECT * FROM decision --",
    "; DELETE FROM decision; --",
    "; DROP TABLE ledger_action; --",
    "; ATTACH DATABASE 'borealis' AS b; --",
    " AND (SELECT count(*) FROM api_key) > 0 /*",
    "||(SELECT secret_hash FROM api_key LIMIT 1)||",
    "; UPDATE ledger_action SET state='approved'; --",
    " COLLATE NOCASE; PRAGMA writable_schema=1; --",
    "\nUNION ALL SELECT text FROM document",
    " LIMIT 1 OFFSET -1",
)
_FULL_TEXT = (
    '"', '""', '"""', "NEAR(", "NEAR(a b, 2)", "^pump", "-pump", "+pump", "pump*", "*", "(", ")",
    "pump OR", "AND", "OR OR OR", "NOT NOT", "pump NOT pump", "secret:x", "tenant:b",
    "{secret}:top*", "{title text}:krakatoa*", "title:krakatoa*", "text : krakatoa", "- : -",
    "rowid:1", 'pump" OR "krakatoa', 'a" OR title:"b', "{", "}", "a{b", "[", "]", ":", "::", ".",
    "pump + + pump", "NEAR/2", "a NEAR b", "'", "''", "\\", "%", "_", "%%%", "_____",
    "krakatoa*", "K* OR 1", "'krakatoa'",
)  # fmt: skip
_JSON_PATHS = (
    "$", "$.x", "$..x", "$[0]", "$[#-1]", "$.a'||'b", '$."a', "') OR json_extract(stages,'$') --",
    "x') = json_extract('{}', '$.x') OR ('1'='1", "$.policy.routing.mood'", '{"$ne": null}',
    '{"$or": [{}]}', '{"$where": "1"}', "[$gt]", "__proto__", "{{7*7}}", "${jndi:ldap://x}",
    "#{1+1}", "a.b' = '1", "$.a' OR 1=1 OR '$.a", "->>'$.x'", "x->'$'", "'$.tenant_id'",
)  # fmt: skip
_ODD = (
    "1e400", "-9223372036854775808", "9223372036854775807", "0x10", "NaN", "null", "None", "true",
    "0", "-1", "1;1", "\u02bc OR 1=1", "\uff07 OR 1=1 --", "\u2019 OR 1=1", "%27 OR 1=1", "%2527",
    "\\' OR 1=1 --", "\\x27", "'+'", "CHAR(39)", "'; SELECT load_extension('x'); --",
    "' AND randomblob(1000000000) --", "' AND 1=like('ABC', upper(hex(zeroblob(9000)))) --",
    "' GLOB '*", "' REGEXP '.*", "' MATCH 'krakatoa", "' IS NOT NULL --", "' IN (SELECT 1) --",
    "x' HAVING 1=1 --", "x' GROUP BY tenant_id --", "x' ORDER BY 99 --", "x'/**/OR/**/1=1", "x' OR",
    "(SELECT 1)", "CASE WHEN 1 THEN 'a' END", "x'; VACUUM; --", "x'; BEGIN EXCLUSIVE; --",
    "x'; DETACH DATABASE main; --", "x' UNION SELECT sql FROM sqlite_master --", "\x1f OR 1=1",
    "?", "??", ":1", ":tenant_id", "@tenant", "$1", "%(tenant_id)s", "{tenant_id}", "%s%s%s%n",
)  # fmt: skip

INJECTIONS: Sequence[str] = (
    *(quote + tail for quote, tail in product(_QUOTES, _TAILS)),
    *_FULL_TEXT,
    *_JSON_PATHS,
    *_ODD,
)

_ROOTS = ("", "./", "packs/", "/", "//", "file://", "file:///", "~/", "C:\\", "\\\\host\\")
_CLIMBS = ("../", "..\\", "....//", "..;/", "%2e%2e/", "..%2f", "%252e%252e%252f", "..%c0%af")
CLIMBS = 12
"""Steps up: more than a folder of tests is deep."""


def paths_to(target: str) -> Sequence[str]:
    """Write ways to a file, given from the root, in the forms that have fooled somebody."""
    inside = target.lstrip("/")
    return (
        *(root + climb * CLIMBS + inside for root, climb in product(_ROOTS, _CLIMBS)),
        target,
        f"{target}\x1f.txt",
        f"file://{target}",
        f"./{target}",
        f"{inside}/.",
        f"DOC-001/../{'../' * CLIMBS}{inside}",
        "..",
        ".",
        "/dev/stdin",
        "/proc/self/environ",
    )
