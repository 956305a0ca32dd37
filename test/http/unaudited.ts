import { words } from '../support/words.ts'

/** The other functions of the files that write, with the reason why they add no entry. */
export const unaudited: Record<string, string[]> = {
  'changes only when a key was last used': ['authenticate', 'authenticatePaired'],
  'changes nothing': words(`
    allowForcedRefresh checkAccess checkRoom pairedSecret previewPool previewTakeOut previewAccount previewViewKey
    checkFeePercent checkLanguage checkName checkEmail checkTimeZone checkTolerance hashSecret getProviderAccount
    hasProviderAccount getWallet listConfiguredNetworks getWebhook getWebhookById listWebhooks
    listDeliveries listUnmatched listChannels checkCurrency findFirstSale findTriedOrder listEndpoints
    listSkippedPayments requireChain requireStep requireWebhook retryEndpoint areInvitationsMailed
    findLightning looksLikeLightning tryLightning lightningAccounts lightningFaultOf sealedAccount isFor
    mailOf seesInvitations accountEvents callbackUrlOf hasClientId ownMethods canInvoice
    canCancelInvoice connectable listAccounts openedAccount refundingProvider testAccount tryAccount
    listSweepTransactions movedChains canSendBack
  `),
  'calls setProviderAccount: test/http/stripe.test.ts': words('connectAccount'),
  'calls resolveUnmatched: test/http/second-payments.test.ts': words('refundUnmatched'),
  'is recorded in an app with Stripe: test/http/stripe.test.ts': words('removeAccount rotateSecrets'),
  'is recorded for operators: test/http/dashboard/server-upkeep.test.ts, server-mail.test.ts': words(`
    requestBackup requestReplicaTrial recordOwnBackup takeNewestBackup chooseMailServer removeMailServer
    testMailServer
  `),
  'is requested by a buyer': words(`
    createProductOrder openCryptoAttempt provisionAttempt checkNow startCheck leaveRefundAddress
    askElsewhere scheduleLooks recordOpening
  `),
  'runs by itself': words(`
    expireOrder recordPayments reviewOrder matchReversal recordReversals sendRefund applyRetention
    refreshCatalogue refreshRates scheduleRegularJobs deliverEvent deliverFurther watchWebhook
    watchFurther addressNotifications sendNotifications sendBuyerMail sendPaymentMail watchServices
    watchPayable scheduleDigest sendDigest watchSkipped lookElsewhere watchLightning
    watchFunds noteFound readSweepTransactions
  `),
  'is a record of its own, which names its key or its time': words(`
    createOrder createTestOrder cancelOrder recordRefund executeRefund redeliverEvent redeliverEvents redeliverFailed
    redeliverToFurther testWebhook addNote noteSent
  `),
  'is recorded for each merchant of a person: test/http/dashboard/person-audit.test.ts': words(`
    resetUser suspendUser restoreUser redeemLink changePassword confirmSecondFactor requirePasskeys
    renewRecoveryCodes removeSecondFactor enterCode endLogin endOtherLogins addPasskey removePasskey
    renamePasskey signInWithPasskey proveByPasskey
  `),
  'is recorded for every merchant: test/http/endpoint-audit.test.ts, test/networks/chosen-endpoints.test.ts':
    ['addEndpoint', 'raiseEndpoint', 'removeEndpoint', 'addRateSource', 'removeRateSource'],
  'is recorded: test/http/greenfield-legacy.test.ts': ['createPairingCode', 'pairClient'],
  'is recorded: test/http/dashboard/invoices.test.ts': ['sendInvoice', 'cancelOrderInvoice'],
  'is recorded: test/http/dashboard/stale-forms.test.ts': ['createProductOnce'],
  'is recorded: test/http/webhooks.test.ts': ['addWebhook', 'editWebhook', 'removeWebhook'],
  'is recorded: test/http/test-data.test.ts': ['deleteTestOrders'],
  'is recorded: test/http/lightning.test.ts': ['setUpLightning', 'stopLightning'],
  'concerns a person, not what money depends on': words(`
    listViews removeView saveView askForPasskey listPasskeys rememberLanguage startPasskey
    createFirstLink createEnterLink readLink signIn redeemFirstCode findHalfLogin readSecondFactor
    readSecondFactorSetup startSecondFactor signOut chooseShop findVisit listShops isProven formStamp
    prove listLogins readSetupSteps skipStep listMembers renewInvitation
  `),
  'asks upstreams earlier than the job that does so by itself': ['checkOrder'],
  'changes what one person is notified of': ['sendCode', 'confirmChannel', 'changeChannel'],
  'only sends a message': words(`
    testChannel requireInvitation mailInvitation sendOrderMail requestPasswordLink
  `),
}
