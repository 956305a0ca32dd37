import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Pagamentos com Florin',
  what: 'Este servidor recebe pagamentos para lojas on-line.',
  buyers: 'Veio aqui para pagar? Abra o link que a loja enviou.',
  developers: 'Você administra este servidor ou uma loja? A referência da API mostra como criar um pedido.',
  sandbox:
    'Este é um ambiente de teste: para experimentar, crie um pedido e abra a página de pagamento ' +
    'dele. Você pode pagar com cartões e moedas de teste.',
  reference: 'Referência da API',
}
