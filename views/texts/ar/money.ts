import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `استلمنا ${received} من أصل ${total} · بقي ${left}`,
  receivedAll: (received, total) => `استلمنا ${received} من أصل ${total}`,
  awaiting: (amount, shop) =>
    `مبلغ ${amount} في انتظار أن يقبله ${shop}. لا ترسل أي مبلغ آخر في الوقت الحالي.`,
  awaitingUnknown: shop => `هناك دفعة في انتظار أن يقبلها ${shop}. لا ترسل أي مبلغ آخر في الوقت الحالي.`,
  tooSmall: left =>
    `المبلغ المتبقي ${left} أصغر من أن يُرسَل. أُبلغ المتجر بذلك، ولا حاجة إلى إرسال أي مبلغ آخر.`,
  others: 'دفعات أخرى بدأتها',
  continueWith: name => `المتابعة باستخدام ${name}`,
  part: received => `استلمنا ${received}`,
  vanished: amount =>
    `لم تعد دفعتك البالغة ${amount} تظهر على الشبكة. تحقّق منها في محفظتك قبل أن ترسل مرة أخرى.`,
  blind: (network, time) => `لا يمكننا الوصول إلى شبكة ${network} حاليًا. كان آخر تحقّق في ${time}.`,
  blindAdvice:
    'إذا كنت قد دفعت بالفعل، فلم تضِع دفعتك. لا تدفع مرة أخرى: سنعثر عليها فور تمكّننا من الوصول إلى الشبكة.',
}
