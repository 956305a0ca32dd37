import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'कोई दूसरा कॉइन मिला',
    underpaid: 'आपका भुगतान इस ऑर्डर के लिए पर्याप्त नहीं है',
    late: 'आपका भुगतान देर से मिला',
    second_payment: 'दूसरा भुगतान मिला',
    order_closed: 'बंद ऑर्डर के लिए भुगतान मिला',
    too_late: 'आपका भुगतान बहुत देर से मिला',
    overpaid: 'आपने ज़रूरत से ज़्यादा भुगतान किया',
  },
  otherCoin: 'कोई दूसरा कॉइन',
  received: {
    wrong_asset: (coins, wanted) => `हमें ${coins} मिला, लेकिन यह भुगतान ${wanted} में होना था।`,
    underpaid: (coins, value) => (value === null ? `हमें ${coins} मिला।` : `हमें ${value} मूल्य का ${coins} मिला।`),
    late: (coins, value) =>
      value === null
        ? `भुगतान का समय समाप्त होने के बाद हमें ${coins} मिला।`
        : `भुगतान का समय समाप्त होने के बाद हमें ${value} मूल्य ` + `का ${coins} मिला।`,
    second_payment: coins => `हमें ${coins} मिला, लेकिन इस ऑर्डर का भुगतान पहले ही हो चुका था।`,
    order_closed: coins => `हमें ${coins} मिला, लेकिन यह ऑर्डर बंद था।`,
    too_late: coins => `भुगतान का समय समाप्त होने के बहुत बाद हमें ${coins} मिला।`,
    overpaid: (coins, due) => `हमें ${coins} मिला, लेकिन केवल ${due} देना था।`,
  },
  notLost: shop => `आपका भुगतान दर्ज है, और ${shop} को सूचना दे दी गई है।`,
  contact: shop => `${shop} से संपर्क करें`,
  contactForRefund: contact => `रिफ़ंड के लिए या कोई सवाल हो तो ${contact}।`,
  refundAddress: network => `${network} पर रिफ़ंड का पता`,
  optional: '(वैकल्पिक)',
  saveAddress: 'रिफ़ंड का पता सहेजें',
  wrongAddress: 'अगर यह गलत है तो दुकान से संपर्क करें।',
}
