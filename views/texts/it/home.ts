import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Pagamenti con Florin',
  what: 'Questo server gestisce i pagamenti di negozi online.',
  buyers: 'Vuoi pagare? Apri il link che ti ha dato il negozio.',
  developers: 'Gestisci questo server o un negozio? La documentazione dell’API mostra come creare un ordine.',
  sandbox:
    'Questo è un ambiente di prova: per provarlo, crea un ordine e apri la sua pagina di ' +
    'pagamento. Puoi pagarlo con carte e monete di prova.',
  reference: 'Documentazione dell’API',
}
