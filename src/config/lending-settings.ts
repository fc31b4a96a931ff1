import type { Config } from './config.ts'

type Lending = Pick<
  Config,
  'policy' | 'marginPolicy' | 'complianceProvider' | 'pricesProvider' | 'vendors'
>

/** What a process lends by and with: a text for each variable, empty where it has no value. */
export function readLendingSettings(config: Lending): Record<string, string> {
  const { policy, marginPolicy, vendors } = config
  const settings = {
    MIN_LIMIT_USD: policy.minLimitCents,
    MAX_LIMIT_USD: policy.maxLimitCents,
    DEFAULT_RATE: policy.defaultRatePpm,
    UNDERWRITING_LTV: policy.underwritingLtvPpm,
    DRAW_LTV: policy.drawLtvPpm,
    MIN_USDC_PRICE: policy.minUsdcPpm,
    DOCUMENT_GRACE_DAYS: policy.documentGraceDays,
    PRICE_STALE_SECONDS: marginPolicy.staleMs,
    COMPLIANCE_PROVIDER: config.complianceProvider,
    PRICES_PROVIDER: config.pricesProvider,
    KYC_URL: vendors.kyc?.url,
    AML_URL: vendors.aml?.url,
    AML_DATASET: vendors.aml?.dataset,
    AML_REVIEW_SCORE: vendors.aml?.reviewScorePpm,
    CUSTODIAN_URL: vendors.custodian?.url,
    PAYMENTS_URL: vendors.payments?.url,
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, String(value ?? '')]),
  )
}
