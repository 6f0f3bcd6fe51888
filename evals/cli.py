"""`prefrontal evals`: the commands by which it is judged."""

import typer

from evals.adapting.cli import EXAMPLE as ADAPTED
from evals.adapting.cli import adapt
from evals.comparing.cli import EXAMPLE as COMPARED
from evals.comparing.cli import compare
from evals.curve.cli import EXAMPLE as DRAWN_OUT
from evals.curve.cli import curve
from evals.frames.cli import EXAMPLE as FRAMED
from evals.frames.cli import frame
from evals.journal.cli import journal
from evals.labelled.cli import EXAMPLE, labelled
from evals.mutations.acting_cli import act_out
from evals.mutations.cli import mutate
from evals.promoting.cli import EXAMPLE as PROMOTED
from evals.promoting.cli import promote_decisions
from evals.replay.cli import replay
from evals.reporting.cli import EXAMPLE as DRAWN
from evals.reporting.cli import page
from evals.running import EXAMPLE as RUN
from evals.running import run
from evals.simulation.cli import EXAMPLE as SIMULATED
from evals.simulation.cli import simulate
from evals.smith.cli import PAIRED, SENT, SYNCED, feedback, pairwise, sync
from evals.speaking.cli import speaking
from evals.wishes.cli import EXAMPLE as EXAMPLE_OF_WISHES
from evals.wishes.cli import wishes

app = typer.Typer(
    no_args_is_help=True,
    help="Judge the system on labelled cases.",
    epilog="Example: prefrontal evals run vessel_requests",
)


app.command("run", epilog=RUN)(run)
app.command("page", epilog=DRAWN)(page)
app.command("replay", epilog="Example: prefrontal evals replay vessel --show")(replay)
app.command("labelled", epilog=EXAMPLE)(labelled)
app.command("curve", epilog=DRAWN_OUT)(curve)
app.command("adapt", epilog=ADAPTED)(adapt)
app.command("wishes", epilog=EXAMPLE_OF_WISHES)(wishes)
app.command("journal", epilog="Example: prefrontal evals journal minutes.jsonl --misses")(journal)
app.command("mutations", epilog="Example: prefrontal evals mutations --pack vessel --by-shape")(
    mutate
)
app.command("frames", epilog=FRAMED)(frame)
app.command("acted", epilog="Example: prefrontal evals acted --pack vessel --shard 1/2")(act_out)
app.command(
    "speaking", epilog="Example: prefrontal evals speaking streams.jsonl --labels labels.jsonl"
)(speaking)
app.command("simulate", epilog=SIMULATED)(simulate)
app.command("promote", epilog=PROMOTED)(promote_decisions)
app.command("sync", epilog=SYNCED)(sync)
app.command("feedback", epilog=SENT)(feedback)
app.command("pairwise", epilog=PAIRED)(pairwise)
app.command("compare", epilog=COMPARED)(compare)
