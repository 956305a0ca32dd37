import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Paga con ${method}`,
  waiting: method => `In attesa di ${method}`,
  otherTab:
    'Completa il pagamento nell’altra scheda. Questa pagina si aggiorna automaticamente qualche ' +
    'minuto dopo il pagamento. Dopo aver pagato puoi chiuderla: l’ordine verrà comunque segnato ' +
    'come pagato.',
  openAgain: method => `Apri di nuovo ${method}`,
  unconfirmed: method => `${method} non ha ancora confermato il pagamento.`,
}
