/** A state machine as data: a row for each state, a cell for each trigger that is allowed in it. */
export type Transitions<State extends string, Trigger extends string> = Record<
  State,
  Partial<Record<Trigger, State>>
>

/** The state that a trigger leads to; undefined where the table has no cell, which is a refusal. */
export function nextState<State extends string, Trigger extends string>(
  moves: Transitions<State, Trigger>,
  from: State,
  trigger: Trigger,
): State | undefined {
  return moves[from][trigger]
}
