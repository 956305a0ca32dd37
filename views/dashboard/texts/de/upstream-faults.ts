import type { Texts } from '../types.ts'

/** Without „er“ or „sie“: the names before them differ. */
export const upstreamFaults: Texts['upstreamFaults'] = {
  unreachable: 'Es kommt keine Verbindung zustande.',
  silent: 'Die Antwort kam nicht rechtzeitig.',
  limited: 'Die Zahl der Anfragen ist dort begrenzt, und weitere werden zurzeit abgelehnt.',
  denied: 'Der Zugang wurde verweigert: Prüfen Sie den Schlüssel oder das Passwort.',
  private: 'Die Adresse liegt in einem privaten Netz oder ist nicht erlaubt.',
  wrongChain: 'Die Antworten gehören zu einer anderen Blockchain.',
  behind: 'Die neuesten Blöcke sind dort nicht bekannt.',
  failing: 'Dort ist ein Fehler aufgetreten.',
  malformed: 'Die Antwort lässt sich nicht lesen.',
  noPrice: 'Für keinen der Coins gibt es dort einen Preis.',
}
