// Written by scripts/typescript_types.py from the OpenAPI document; do not edit.

/** What a handler gave back. */
export interface CallResult {
  text: string;
  data: Record<string, unknown>;
  /** such as `WO-1042: open → closed` */
  changed: string[];
}

/** One action that a caller may propose. */
export interface CatalogEntry {
  name: string;
  pack: string;
  /** template over the arguments */
  summary: string;
  /** more about it; empty: the summary is all */
  description: string;
  /** JSON Schema, draft 2020-12 */
  arguments: Record<string, unknown>;
  effect: "read" | "write" | "destructive" | "compliance" | "multi_user" | "financial" | "bulk";
  /** the lowest it can have */
  class: "A" | "B" | "C";
  runs: "at_once" | "after_choice" | "after_approval";
  mode: "execute" | "permit";
  /** who may approve it; empty: any person */
  approver_roles: string[];
  quorum: number;
  /** the requester may not approve */
  four_eyes: boolean;
  /** how long an approval stands open */
  approval_minutes: number;
  /** how long it can be undone; null: not at all */
  undo_minutes: number | null;
  /** how people ask for it */
  examples: string[];
}

/** What an agent says of a tool that it keeps; all of it is data, none of it is trusted. */
export interface DeclaredTool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments, draft 2020-12, of type object */
  arguments: Record<string, unknown>;
  /** left out: it may do anything, and needs an approval */
  effect?: "read" | "write" | "destructive" | "compliance" | "multi_user" | "financial" | "bulk";
  /** template over the arguments: what people read */
  summary?: string | null;
}

/** The question, whole: no model's words, no control character, nothing that turns around. */
export interface Dialog {
  /** what would be done */
  title: string;
  /** how many, how much and to whom; empty: none of them */
  headline: string;
  /** what was asked for, verbatim, in quotes; empty: not shown here */
  words: string;
  /** whose words these are and when they came, or why they are not here */
  words_of: string;
  /** of the decision that led here: GET /v1/decisions/{decision_id} */
  decision_id: string;
  /** about the thing it concerns */
  facts: DialogLine[];
  /** what changes, before and after */
  changes: DialogLine[];
  /** every argument */
  arguments: DialogLine[];
  /** what raised its class */
  raised: string[];
  asked_by: string;
  /** roles, how many of them, and who may not */
  may_answer: string;
  /** until when it can be answered; empty: it is queued */
  expires: string;
  /** what is too long for a glance, and has to be opened for a yes */
  long: string[];
  /** what has to be typed by hand with a yes; null: nothing */
  type_to_approve: string | null;
  /** the same action that ran or was rejected lately, is running, or is asked for */
  duplicates: string[];
  digest: string;
  /** all of it, a line each, the numbers first */
  lines: string[];
}

/** One line: what it is about, and its value with everything hidden written out. */
export interface DialogLine {
  label: string;
  value: string;
}

/** One field that is wrong, and how. */
export interface FieldProblem {
  field: string;
  problem: string;
}

/** A declared tool as it stands. */
export interface KeptTool {
  name: string;
  /** names it where a person accepts its change */
  id: string;
  /** the agent that declared it */
  keeper: string;
  description: string;
  summary: string;
  /** JSON Schema of what is accepted */
  arguments: Record<string, unknown>;
  /** as it counts: the graver of what is declared and what its name gives away */
  effect: "read" | "write" | "destructive" | "compliance" | "multi_user" | "financial" | "bulk";
  class: "A" | "B" | "C";
  runs: "at_once" | "after_choice" | "after_approval";
  /** changed: used as it was, until a person accepts the change; withheld: not used until then */
  standing: "pinned" | "changed" | "withheld";
  sha256: string;
  declared_at: string;
  /** null: no change was accepted yet */
  accepted_by: string | null;
  /** of what is declared instead */
  seen_sha256: string | null;
}

/** The only proposal of a request. */
export interface OneProposal {
  action: string;
  arguments?: Record<string, unknown>;
  /** why, in the agent's words */
  reason?: string | null;
  /** what the agent read: addresses, file names, ids */
  sources?: string[];
  /** true: untrusted content was in the agent's context; raises the class */
  tainted?: boolean;
  /** true: wanted once more although the same call waits for an approval, or was just rejected */
  again?: boolean;
  session_id?: string;
  /** the key's; another one is refused */
  tenant_id?: string | null;
  /** for whom it is; a key that may speak for others may say so */
  on_behalf_of?: string | null;
  /** of that person */
  role?: string | null;
  /** the same key and call again: the same proposal */
  idempotency_key?: string | null;
  /** answer as soon as it is final */
  wait_seconds?: number;
}

/** The permit that a call's agent may take; it repeats the digest when it does. */
export interface OpenPermit {
  digest: string;
  expires_at: string | null;
}

/** The approval that a call waits for. */
export interface PendingApproval {
  id: string;
  /** the page to approve it on; null: nothing is served */
  url: string | null;
  digest: string;
  state: "proposed" | "pending" | "approved" | "started" | "succeeded" | "failed" | "unknown" | "rejected" | "expired" | "superseded" | "stale";
  /** null: it is queued */
  expires_at: string | null;
  approver_roles: string[];
  quorum: number;
  approvals: number;
  /** null: its pack is not loaded */
  dialog: Dialog | null;
}

/** The suggestion that a person has to choose. */
export interface PendingChoice {
  offer_id: string;
  chip_id: string;
  /** the page to choose it on; null: nothing is served */
  url: string | null;
  summary: string;
  expires_at: string | null;
}

/** The right to run a tool once, with exactly these arguments. */
export interface Permit {
  /** secret, shown once; report the outcome with it */
  permit: string;
  proposal_id: string;
  action: string;
  /** as approved; run the tool with no others */
  arguments: Record<string, unknown>;
  digest: string;
  /** report the outcome before; after it, it is unknown */
  expires_at: string;
}

/** What an agent reports of its tool; it is the agent's word, and recorded as such. */
export interface PermitOutcome {
  permit: string;
  outcome: "succeeded" | "failed";
  /** what happened, in words */
  text: string;
  data?: Record<string, unknown>;
  /** what shows it: an id, a link, a receipt */
  evidence?: string | null;
}

/** An RFC 9457 problem; every refusal has this form. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
  /** for invalid fields */
  errors: FieldProblem[];
  /** for a conflict: what it is now */
  standing: string | null;
  /** for not ready: why */
  reasons: string[];
}

/** Where an agent's call stands. */
export interface ProposalView {
  proposal_id: string;
  status: "accepted" | "needs_choice" | "pending_approval" | "permitted" | "running" | "executed" | "failed" | "unknown" | "refused" | "expired" | "withdrawn";
  action: string;
  /** as they run; secrets covered */
  arguments: Record<string, unknown>;
  /** the action in words */
  summary: string;
  class: "A" | "B" | "C" | null;
  /** codes: what raised the class, and why it stands as it does */
  reasons: string[];
  /** the same in words for the model that called */
  message: string;
  result: CallResult | null;
  approval: PendingApproval | null;
  choice: PendingChoice | null;
  /** of a tool that its agent keeps, while it may begin */
  permit: OpenPermit | null;
  /** an approver changed the arguments; these are the new ones */
  edited: boolean;
  /** the proposal whose approval answers this one too */
  duplicate_of: string | null;
  /** of the choice that a person made of it */
  chosen_decision_id: string | null;
  decided_by: string | null;
  decision_id: string;
  session_id: string;
  proposed_by: string | null;
  on_behalf_of: string | null;
  proposed_at: string;
}
