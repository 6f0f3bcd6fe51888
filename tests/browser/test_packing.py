"""Pages are sent packed, and nothing secret can be read off their lengths."""

import pytest

from tests.browser.service import TOKEN, Ship

pytestmark = pytest.mark.xdist_group("console")


def test_a_page_is_packed_and_its_token_is_another_each_time(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        page = carla.get("/quiet")
        assert page.headers["content-encoding"] == "gzip"
        assert int(page.headers["content-length"]) < len(page.content) / 2
        (own,) = set(TOKEN.findall(page.text))
        for accepted in ("", "identity", "br, gzip;q=0"):
            plain = carla.get("/quiet", **{"Accept-Encoding": accepted})
            assert "content-encoding" not in plain.headers
            assert own not in plain.text
            assert TOKEN.sub("", plain.text).count("<form") == page.text.count("<form")
        assert carla.client.get("/console/static/console.css").headers["vary"] == "Accept-Encoding"
