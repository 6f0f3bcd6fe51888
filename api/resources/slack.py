"""Clicks on the buttons of messages in Slack: signed by Slack, answered as the person they are."""

import time
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.bodies import MAX_LINE_BYTES, in_time
from api.http.dependencies import TheExecutive, TheTasks
from api.http.problems import NOT_FOUND, TOO_LARGE, UNAUTHENTICATED, Problem
from api.http.route import OpenRoute
from tools.notifications import Click, is_from_slack
from tools.platform.texts import t


class SlackRoute(OpenRoute):
    """A route for whoever signs as Slack does; what is sent is a form, read as bytes."""

    def read(self, plain: Request) -> Request:
        """Leave the body to the endpoint: its signature is over the very bytes."""
        return plain

    async def admit(self, request: Request) -> None:
        """Let anybody come as far as the signature."""


router = APIRouter(route_class=SlackRoute, include_in_schema=False)


@router.post("/v1/channels/slack/actions")
async def take_click(request: Request, executive: TheExecutive, work: TheTasks) -> Response:
    """Take a click; Slack waits three seconds, so what came of it is told to it afterwards.

    Raises:
        Problem: 401, it is not signed by our app just now; 404, there is no such app.
    """
    slack = executive.channels.slack
    if slack is None:
        raise Problem(NOT_FOUND, t("problem.no_resource"))
    body = b""
    async with in_time():
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_LINE_BYTES:
                raise Problem(TOO_LARGE, t("console.form.too_large", size=MAX_LINE_BYTES))
    secret = slack.signing_secret.get_secret_value()
    if not is_from_slack(secret, request.headers, body, now=time.time()):
        raise Problem(UNAUTHENTICATED, t("problem.slack_signature"))
    click = Click.read(body)
    if click is not None:
        await work.later(("slack", click.action_id), partial(executive.channels.click, click))
    return Response(status_code=200)
