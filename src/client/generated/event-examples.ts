// Written by npm run openapi.
import type { EventData, EventType } from '../resources/resources.ts'

/** The data of the example of each event. */
export const EVENT_EXAMPLES: Readonly<{ [Type in EventType]: EventData<Type> }> = {
  'borrower.eligible': {"borrower_id":"bor_01k9x4m2q8e0tb7f2v5j6h8n3c"},
  'facility.decisioned': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","borrower_id":"bor_01k9x4m2q8e0tb7f2v5j6h8n3c","decision":"approved","limit":{"amount":"50000.00","asset":"USD"},"rate":"0.1","reasons":[]},
  'draw.completed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","draw_id":"drw_01k9x4m2q8e0tb7f2v5j6h8n3c","amount":{"amount":"50000.00","asset":"USD"},"reference":"payout-58102","completed_at":"2026-11-20T12:00:04.812Z"},
  'draw.failed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","draw_id":"drw_01k9x4m2q8e0tb7f2v5j6h8n3c","amount":{"amount":"50000.00","asset":"USD"},"code":"floor_refused","retryable":true},
  'repayment.applied': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","repayment_id":"rep_01k9x4m2q8e0tb7f2v5j6h8n3c","margin_warning_number":1,"delivered":{"amount":"9301.10","asset":"USD"},"confirmed":{"amount":"9301.10","asset":"USD"},"allocation":{"interest":{"amount":"27.40","asset":"USD"},"principal":{"amount":"9273.70","asset":"USD"},"refund_due":{"amount":"0.00","asset":"USD"}},"outstanding_usd":"40726.30"},
  'repayment.failed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","repayment_id":"rep_01k9x4m2q8e0tb7f2v5j6h8n3c","margin_warning_number":1,"code":"not_received"},
  'repayment.reversed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","repayment_id":"rep_01k9x4m2q8e0tb7f2v5j6h8n3c","amount":{"amount":"9301.10","asset":"USD"},"code":"account_holder_claim","facility_state":"APPROVED","outstanding_usd":"50103.27"},
  'draw.returned': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","draw_id":"drw_01k9x4m2q8e0tb7f2v5j6h8n3c","amount":{"amount":"50000.00","asset":"USD"},"code":"account_closed","outstanding_usd":"27.40"},
  'facility.floor_updated': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","required_floor_usd":"71467.71","previous_floor_usd":"0.00","reason":"draw"},
  'margin_warning.raised': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","number":1,"tier":1,"cure_amount":{"amount":"9301.10","asset":"USD"},"deadline":"2026-11-22T12:00:00.000Z","window_deadline":"2026-11-22T12:00:00.000Z","ltv":"0.736378","latest_ltv":"0.736378","required_floor_usd":"83333.34","cure_collateral_usd":"15501.84"},
  'margin_warning.cured': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","number":1,"cured_at":"2026-11-20T18:30:00.000Z","cured_by":"repayment","ltv":"0.599799","latest_ltv":"0.599799"},
  'margin_warning.escalated': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","number":1,"margin_call_number":1,"reason":"deadline"},
  'margin_call.started': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","number":1,"margin_warning_number":1,"target_ltv":"0.55","planned":[{"asset":"BTC","quantity":"0.405772"}]},
  'margin_call.completed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","number":1,"outcome":"partial","sold":[{"asset":"BTC","quantity":"0.405772","proceeds_usd":"28404.04"}],"costs_usd":"568.09","allocation":{"interest":{"amount":"27.40","asset":"USD"},"principal":{"amount":"27808.55","asset":"USD"},"refund_due":{"amount":"0.00","asset":"USD"}},"surplus_usd":"0.00","deficit_usd":"0.00"},
  'facility.closed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","closed_at":"2026-11-20T12:00:00.000Z","reason":"repaid"},
  'facility.held': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","since":"2026-11-20T12:00:00.000Z"},
  'facility.released': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","held_seconds":86400,"margin_warning":{"number":1,"deadline":"2026-11-22T12:00:00.000Z"}},
  'facility.terms_changed': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","effective_at":"2026-12-20T12:00:00.000Z","terms":{"version":1,"rate":"0.1","floor_ltv":"0.65","cure_ltv":"0.55","tiers":[{"tier":1,"above_ltv":"0.65","cure_seconds":172800},{"tier":2,"above_ltv":"0.7","cure_seconds":43200},{"tier":3,"above_ltv":"0.75","cure_seconds":7200}],"critical_ltv":"0.8","target_ltv":"0.5","haircuts":{"BTC":"0.03","ETH":"0.08","USD":"0","USDC":"0.01"}}},
  'facility.corrected': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","correction_id":"cor_01k9x4m2q8e0tb7f2v5j6h8n3c","kind":"waive_interest","amount":{"amount":"27.40","asset":"USD"},"outstanding_usd":"50000.00"},
  'margin_notice.approaching': {"facility_id":"fac_01k9x4m2q8e0tb7f2v5j6h8n3c","line":"0.65","ltv":"0.660852","levels":[{"line":"tier_1","ltv":"0.7","reached":false,"value_usd":"71428.57","fall_percent":"5.5927","prices":[{"asset":"BTC","price_usd":"73637.7113402"}]},{"line":"tier_2","ltv":"0.75","reached":false,"value_usd":"66666.66","fall_percent":"11.8866","prices":[{"asset":"BTC","price_usd":"68728.52577319"}]},{"line":"tier_3","ltv":"0.8","reached":false,"value_usd":"62499.99","fall_percent":"17.3937","prices":[{"asset":"BTC","price_usd":"64432.98969072"}]},{"line":"critical","ltv":"0.83","reached":false,"value_usd":"60240.96","fall_percent":"20.3794","prices":[{"asset":"BTC","price_usd":"62104.0927835"}]},{"line":"sale","ltv":"0.83","reached":false,"value_usd":"60240.96","fall_percent":"20.3794","prices":[{"asset":"BTC","price_usd":"62104.0927835"}]}]},
  'webhook.failing': {"webhook_id":"whk_01k9x4m2q8e0tb7f2v5j6h8n3c","url":"https://example.com/hooks/lending","consecutive_failed_attempts":25,"reason":"failures"},
  'webhook.disabled': {"webhook_id":"whk_01k9x4m2q8e0tb7f2v5j6h8n3c","url":"https://example.com/hooks/lending","disabled_at":"2026-11-20T12:00:05.000Z"},
  'api_key.expiring': {"key_id":"key_01k9x4m2q8e0tb7f2v5j6h8n3c","expires_at":"2026-12-04T12:00:00.000Z"},
}
