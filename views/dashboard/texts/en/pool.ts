/** The list of addresses of a network. */
const addresses = (count: number): string => (count === 1 ? '1 address' : `${count} addresses`)

export const pool = {
  title: (network: string) => `List of addresses: ${network}`,
  back: (network: string) => `Wallets: ${network}`,
  intro:
    'Each payment gets an address of its own from this list, so that Florin can tell which order was ' +
    'paid. Use it if your wallet has no extended public key, or if your exchange gives you addresses ' +
    'to receive with.',
  link: 'Use a list of addresses',
  manage: 'Open the list',
  count: 'In the list',
  free: 'Available',
  freeHint: 'No customer has been given them yet.',
  reserved: 'Reserved',
  reservedHint: 'Given to a customer; nothing has arrived.',
  used: 'Used',
  usedHint: 'Something has arrived.',
  next: 'The next customers get',
  stopped: 'The list is not used now. Add addresses to use it again.',
  low: (count: number) =>
    count === 1
      ? 'Only 1 address is left. Add more, so that customers can go on paying.'
      : `Only ${count} addresses are left. Add more, so that customers can go on paying.`,
  empty: 'No addresses are left, so customers cannot get one from this list. Add more.',
  change: 'Add or take out addresses',
  text: 'Addresses',
  textHint:
    'One address per line, up to 10,000. Text after # is ignored. Use only addresses of your own ' +
    'wallet or exchange account.',
  file: 'Or a text file with one address on each line',
  add: 'Check, then add',
  takeOut: 'Check, then take out',
  wrong: (count: number) =>
    count === 1
      ? 'One line cannot be used, so nothing was changed:'
      : `${count} lines cannot be used, so nothing was changed:`,
  line: (line: number, text: string) => `Line ${line}: ${text}`,
  moreLines: (count: number) => (count === 1 ? 'One more line is wrong.' : `${count} more lines are wrong.`),
  nothing: 'Enter at least one address, or choose a file.',
  tooMany: 'These are too many. Enter at most 10,000 at once.',
  noList: 'There is no list yet, so nothing can be taken out of it.',
  expired: 'This took too long, or the server was restarted. Enter the addresses again.',
  checkAdd: (count: number) => `Add ${addresses(count)}?`,
  checkTakeOut: (count: number) => `Take out ${addresses(count)}?`,
  nothingNew: 'All of these addresses are in the list already. Nothing was changed.',
  known: (lines: string) => `Already in the list, so left out: line ${lines}.`,
  repeated: (lines: string) => `Repeated, so left out: line ${lines}.`,
  compare:
    'Compare these with your wallet. Money that is sent to a wrong address is lost, and Florin cannot see ' +
    'whose it is.',
  firstOnes: 'The first ones:',
  lastOne: 'The last one:',
  compared: 'I have compared these with my wallet. All addresses of the list are mine.',
  compareFirst: 'Compare first, then check this box.',
  confirmAdd: 'Add them',
  confirmTakeOut: 'Take them out',
  emptyAll: (count: number) =>
    count === 1 ? 'Take out the unused one' : `Take out all ${count} unused ones`,
  emptyAsk: 'Take out all unused addresses? Customers get none of them any more.',
  reclaim: 'Make unpaid addresses available again',
  reclaimHint:
    'For addresses that never received anything, 30 days after Florin stopped monitoring them. Florin ' +
    'checks the blockchain first.',
  done: {
    added: (count: string) => `Saved. Added: ${count}. New payments use them from now on.`,
    takenOut: (count: string) => `Taken out: ${count}.`,
    reclaimed: (count: string) => `Available again: ${count}.`,
    reclaiming: () =>
      'Florin is still checking the blockchain. It goes on without you: open this page again in a few ' +
      'minutes to see how many addresses are available.',
  },
}
