import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `${method} से भुगतान करें`,
  waiting: method => `${method} का इंतज़ार है`,
  otherTab:
    'दूसरे टैब में भुगतान पूरा करें। भुगतान के कुछ मिनट बाद यह पेज अपने आप अपडेट होगा। भुगतान के बाद आप यह पेज बंद कर ' +
    'सकते हैं; आपका ऑर्डर फिर भी भुगतान किया हुआ माना जाएगा।',
  openAgain: method => `${method} फिर से खोलें`,
  unconfirmed: method => `${method} ने अभी भुगतान की पुष्टि नहीं की है।`,
}
