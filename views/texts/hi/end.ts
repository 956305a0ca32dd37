import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'भुगतान हो गया',
  paidCoins: (amount, shop) => `आपने ${shop} को ${amount} का भुगतान किया।`,
  paidWith: (shop, method) => `आपने ${shop} को ${method} से भुगतान किया।`,
  paidShop: shop => `आपने ${shop} को भुगतान किया।`,
  thanks: 'धन्यवाद!',
  refundedTitle: 'रिफ़ंड किया गया',
  refunded: (amount, shop) => `${shop} ने ${amount} का रिफ़ंड किया।`,
  expired: 'इस ऑर्डर का समय समाप्त हो गया है',
  contactFirst: shop => `दोबारा भुगतान करने से पहले ${shop} से संपर्क करें।`,
  notInTime: 'इसका भुगतान समय पर नहीं हुआ।',
  maybePaid: 'अगर आप भुगतान कर चुके हैं तो दोबारा ऑर्डर न करें: आपका भुगतान फिर भी पहचान लिया जाएगा।',
  orderAgain: 'अगर नहीं, तो दुकान पर वापस जाकर फिर से ऑर्डर करें।',
  cancelled: 'यह ऑर्डर रद्द कर दिया गया है',
  notCharged: 'आपसे कोई पैसा नहीं लिया गया।',
  failed: 'भुगतान विफल रहा',
  declined: 'भुगतान सेवा ने भुगतान अस्वीकार कर दिया। दुकान पर वापस जाकर फिर से ऑर्डर करें।',
  blocked: 'भुगतान संभव नहीं',
  notAccepted: shop => `${shop} यह भुगतान स्वीकार नहीं कर सकता।`,
  haveQuestions: shop => `कोई सवाल हो तो ${shop} से संपर्क करें।`,
}
