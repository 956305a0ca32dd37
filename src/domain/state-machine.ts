/** For each state, the triggers that it allows and the states they lead to. */
export type Transitions<State extends string, Trigger extends string> = Record<
  State,
  Partial<Record<Trigger, State>>
>

/** The state that a trigger leads to; undefined if it is not allowed. */
export function nextState<State extends string, Trigger extends string>(
  transitions: Transitions<State, Trigger>,
  from: State,
  trigger: Trigger,
): State | undefined {
  return transitions[from][trigger]
}
