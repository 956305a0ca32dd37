import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Betalen met ${method}`,
  waiting: method => `Wachten op ${method}`,
  otherTab:
    'Rond je betaling af in het andere tabblad. Deze pagina wordt een paar minuten na je betaling ' +
    'automatisch bijgewerkt. Als je hebt betaald, kun je deze pagina sluiten; je bestelling wordt ' +
    'toch als betaald gemarkeerd.',
  openAgain: method => `${method} opnieuw openen`,
  unconfirmed: method => `${method} heeft de betaling nog niet bevestigd.`,
}
