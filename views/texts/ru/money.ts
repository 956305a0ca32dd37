import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Получено ${received} из ${total} · осталось ${left}`,
  receivedAll: (received, total) => `Получено ${received} из ${total}`,
  awaiting: (amount, shop) =>
    `Магазин ${shop} ещё должен принять ${amount}. Пока больше ничего не отправляйте.`,
  awaitingUnknown: shop => `Магазин ${shop} ещё должен принять платёж. Пока больше ничего не отправляйте.`,
  tooSmall: left =>
    `Остаток (${left}) слишком мал, чтобы его отправить. Мы сообщили магазину; больше ничего отправлять ` +
    'не нужно.',
  others: 'Другие начатые вами платежи',
  continueWith: name => `Продолжить с ${name}`,
  part: received => `Получено ${received}`,
  vanished: amount =>
    `Ваш платёж на ${amount} больше не виден в сети. Проверьте его в кошельке, прежде чем отправлять снова.`,
  blind: (network, time) => `Сейчас мы не можем связаться с сетью ${network}. Последняя проверка: ${time}.`,
  blindAdvice:
    'Если вы уже заплатили, ваш платёж не потерян. Не платите снова: мы найдём его, как только свяжемся ' +
    'с сетью.',
}
