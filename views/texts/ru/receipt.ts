import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `Квитанция от ${shop}`,
  title: 'Квитанция',
  show: 'Посмотреть квитанцию',
  paidOn: 'Дата оплаты',
  order: 'Заказ',
  item: 'Наименование',
  thisOrder: reference => `Заказ ${reference}`,
  amount: 'Сумма',
  total: 'Итого',
  refunded: date => `Возвращено ${date}`,
  afterRefunds: 'Итого после возвратов',
  payment: 'Оплата',
  paidWith: 'Способ оплаты',
  received: 'Получено',
  rate: 'Обменный курс',
  transaction: 'Транзакция',
  byMerchant: shop => `Магазин ${shop} отметил этот заказ как оплаченный.`,
  print: 'Распечатать или сохранить в PDF',
  backToOrder: 'Вернуться к заказу',
  sandbox: 'Тестовый платёж в тестовой среде. Настоящие деньги не переводились.',
}
