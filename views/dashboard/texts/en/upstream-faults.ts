/** What is wrong with an endpoint, an exchange, a provider or a mail server. */
export const upstreamFaults = {
  unreachable: 'It cannot be reached.',
  silent: 'It did not answer in time.',
  limited: 'It limits requests, and refuses more for now.',
  denied: 'It refused access: check the key or the password.',
  private: 'It is in a private network, or its URL is not allowed.',
  wrongChain: 'It serves another chain.',
  behind: 'It does not know the newest blocks.',
  failing: 'It reports an error of its own.',
  malformed: 'Its answer cannot be read.',
  noPrice: 'It has no price for any of the coins.',
}
