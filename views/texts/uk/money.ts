import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Отримано ${received} з ${total} · залишилося ${left}`,
  receivedAll: (received, total) => `Отримано ${received} з ${total}`,
  awaiting: (amount, shop) =>
    `Магазин ${shop} ще має прийняти ${amount}. Поки що більше нічого не надсилайте.`,
  awaitingUnknown: shop => `Магазин ${shop} ще має прийняти платіж. Поки що більше нічого не надсилайте.`,
  tooSmall: left =>
    `Решта (${left}) надто мала, щоб її надіслати. Магазин повідомлено; більше нічого надсилати не потрібно.`,
  others: 'Інші розпочаті вами платежі',
  continueWith: name => `Продовжити з ${name}`,
  part: received => `Отримано ${received}`,
  vanished: amount =>
    `Ваш платіж на ${amount} більше не видно в мережі. Перевірте його в гаманці, перш ніж надсилати знову.`,
  blind: (network, time) => `Зараз ми не можемо зв’язатися з мережею ${network}. Остання перевірка: ${time}.`,
  blindAdvice:
    'Якщо ви вже заплатили, ваш платіж не втрачено. Не платіть знову: ми знайдемо його, щойно зв’яжемося ' +
    'з мережею.',
}
