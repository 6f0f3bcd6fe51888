"""What a pack says about calls over HTTP is checked before any is made."""

from pathlib import Path

import pytest

from tools.catalog.pack import check_pack

PACK = """\
actions:
  pay_invoice:
    summary: "Pay {invoice}"
    verb: update
    object: invoice
    slots:
      invoice: {type: text, required: true}
      day: {type: date}
      code: {type: text, secret: true}
      lines: {type: json}
    effect: financial
    http:
      method: POST
      url: "https://bank.example/invoices/{invoice}?by={day}"
      headers: {Authorization: "Bearer ${BANK_TOKEN}"}
      body: [code, lines]
      idempotency_header: Idempotency-Key
"""


def faults_with(folder: Path, old: str, new: str) -> list[str]:
    assert old in PACK
    pack = folder / "bank"
    pack.mkdir()
    (pack / "actions.yaml").write_text(PACK.replace(old, new), encoding="utf-8")
    return [str(fault) for fault in check_pack(pack)]


def test_a_call_that_goes_where_it_says_is_sound(tmp_path: Path) -> None:
    assert faults_with(tmp_path, "bank.example", "bank.example:8443") == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("bank.example", "{invoice}", "must begin with"),
        ("bank.example", "bank.example:{day}", "must begin with"),
        ("https:", "ftp:", "must begin with"),
        ("bank.example", "2130706433", "no plain host"),
        ("bank.example", "127.1", "no plain host"),
        ("{invoice}?", "{invoyce}?", "is no slot"),
        ("{invoice}?", "{day}?", "make the slot required"),
        ("by={day}", "by={code}", "is secret"),
        ("by={day}", "by={lines}", "is JSON"),
        ("by={day}", "{day}=1", "name of a query parameter"),
        ("method: POST", "method: GET", "cannot be sent with GET"),
        ("[code, lines]", "[code, line]", "line is no slot"),
        ("[code, lines]", "[code, code]", "twice"),
        ("Authorization:", "Content-Length:", "no header that you may set"),
        ("Authorization:", '"X Y":', "no header that you may set"),
        ("${BANK_TOKEN}", "${bank}", "CAPITAL_LETTERS"),
        ("idempotency_header: Idempotency-Key", "idempotency_header: Host", "no header"),
        ("      idempotency_header: Idempotency-Key\n", "    idempotent: true\n", "needs http"),
        ("    http:\n", '    handler: "handlers:pay"\n    http:\n', "one of handler"),
        ("    http:\n", "    transactional: true\n    http:\n", "only a Python handler"),
    ],
)
def test_a_call_that_could_go_elsewhere_is_a_fault(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    assert problem in "\n".join(faults_with(tmp_path, old, new))
