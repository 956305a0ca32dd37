import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'कृपया चिह्नित फ़ील्ड ठीक करें।',
  email: 'ईमेल',
  name: 'नाम',
  optional: '(वैकल्पिक)',
  price: 'आपकी कीमत',
  amount: 'राशि',
  currency: 'मुद्रा',
  howToPay: 'आप भुगतान कैसे करना चाहते हैं?',
  continue: 'भुगतान पर जारी रखें',
  errors: {
    email: 'ईमेल पता डालें, जैसे sam@example.com।',
    fullName: 'अधिकतम 128 अक्षरों का नाम डालें।',
    paymentMethodKey: 'चुनें कि आप भुगतान कैसे करना चाहते हैं।',
    amount: example => `शून्य से बड़ी राशि अंकों में डालें, जैसे ${example}।`,
    amountIn: (currency, example) => `${currency} में शून्य से बड़ी राशि अंकों में डालें, जैसे ${example}।`,
    amountWithoutDecimals: (currency, example) =>
      `${currency} में शून्य से बड़ी राशि बिना दशमलव के अंकों में डालें, जैसे ${example}।`,
    currency: 'मुद्रा चुनें।',
    tooLittle: 'इस राशि के लिए यह भुगतान तरीका उपलब्ध नहीं है। कोई और तरीका या राशि चुनें।',
  },
}
