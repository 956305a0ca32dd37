import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `Квитанція від ${shop}`,
  title: 'Квитанція',
  show: 'Переглянути квитанцію',
  paidOn: 'Дата оплати',
  order: 'Замовлення',
  item: 'Найменування',
  thisOrder: reference => `Замовлення ${reference}`,
  amount: 'Сума',
  total: 'Разом',
  refunded: date => `Повернено ${date}`,
  afterRefunds: 'Разом після повернень',
  payment: 'Оплата',
  paidWith: 'Спосіб оплати',
  received: 'Отримано',
  rate: 'Обмінний курс',
  transaction: 'Транзакція',
  byMerchant: shop => `Магазин ${shop} позначив це замовлення як оплачене.`,
  print: 'Роздрукувати або зберегти як PDF',
  backToOrder: 'Повернутися до замовлення',
  sandbox: 'Тестовий платіж у тестовому середовищі. Справжні гроші не переказувалися.',
}
