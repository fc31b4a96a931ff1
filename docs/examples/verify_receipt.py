"""Recomputes a sale of collateral from its receipt, to the cent, without the lender.
    python3 verify_receipt.py receipt.json [receipt-keys.json]
Needs Python 3.8 and nothing else. Prints what is wrong, and then exits with 1. Money is in cents,
quantities in the smallest unit of the asset, prices in 10^-8 USD, ratios in parts per million."""
import hashlib, json, sys
from datetime import datetime
ONE, USD, INTEREST_CENT, FAULTS = 10**6, 10**8, 10**6 * 31_536_000_000, []  # a year has 365 days
def check(is_true, fault): is_true or FAULTS.append(fault)
def up(numerator, denominator): return -(-numerator // denominator)
def ms(text): return round(datetime.fromisoformat(text[:-1] + "+00:00").timestamp() * 1000)
# Ed25519, RFC 8032.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
def add(a, b):
    (x, y), (u, v), e = a, b, D * a[0] * b[0] * a[1] * b[1] % P
    return (x * v + u * y) * pow(1 + e, -1, P) % P, (y * v + x * u) * pow(1 - e, -1, P) % P
def times(factor, p):
    total = (0, 1)
    while factor:
        total, p, factor = add(total, p) if factor & 1 else total, add(p, p), factor >> 1
    return total
def point(data):
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    x = pow((y * y - 1) * pow(D * y * y + 1, -1, P), (P + 3) // 8, P)
    if (y * y - x * x - 1 - D * x * x * y * y) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (y * y - x * x - 1 - D * x * x * y * y) % P or y >= P or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    return x if x & 1 == sign else P - x, y
def is_signed(key, message, signature):
    s, base = int.from_bytes(signature[32:], "little"), point(bytes([88] + [102] * 31))
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return s < L and times(s, base) == add(point(signature[:32]), times(h, point(key)))
def canonical(value):  # RFC 8785, of names in ASCII and whole numbers
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def open_file(data, keys):
    file = json.loads(data)
    signed, body = file["signature"], canonical(file["receipt"])
    known = {one["key_id"]: one["public_key"] for one in keys["keys"]} if keys else None
    key, value = bytes.fromhex(signed["public_key"]), bytes.fromhex(signed["value"])
    for is_true, fault in (
            (canonical(file) == data, "the file is not in the form of RFC 8785"),
            (set(file) == {"receipt", "sha256", "signature"}, "the file has other members"),
            (set(signed) == {"algorithm", "key_id", "public_key", "value"}, "so has the signature"),
            (signed["algorithm"] == "Ed25519" and signed["value"] == value.hex(), "another form"),
            (hashlib.sha256(body).hexdigest() == file["sha256"], "the hash is another"),
            (signed["key_id"] == "rck_" + hashlib.sha256(key).hexdigest()[:32], "the key's id"),
            (signed["public_key"] == key.hex(), "the key has another form"),
            (not known or known.get(signed["key_id"]) == key.hex(), "the key is not published"),
            (is_signed(key, body, value), "the signature is another")):
        if not is_true: raise ValueError(fault)
    return file["receipt"]
def owed(debt, at):  # principal, and interest that is exact until it is rounded up to the cent
    principal, since = int(debt["principal_cents"]), max(0, at - ms(debt["accrued_at"]))
    exact = int(debt["interest_numerator"]) + principal * int(debt["rate_ppm"]) * since
    return principal, max(0, up(exact, INTEREST_CENT) - int(debt["interest_paid_cents"]))
def floor_of(debt, ltv): return up(debt * ONE, int(ltv))
def market(r, asset, units, price): return units * price * 100 // (one_of(r, asset) * USD)
def one_of(r, asset): return 10 ** r["assets"][asset]["digits"]
def lots_of(r, positions, place, haircuts):  # what is held, priced and valued at a round
    lots, prices = [], {one["asset"]: one for one in r["rounds"][place]}
    for held in positions:
        asset, units, given = held["asset"], int(held["units"]), prices.get(held["asset"])
        cut, price = haircuts.get(asset), int(given["price"]) if given else None
        if given and r["assets"][asset]["is_dollar_claim"]: price = min(price, USD)
        cents = market(r, asset, units, price * (ONE - int(cut))) // ONE if given and cut else 0
        lots.append((asset, units, price, cut, cents, ms(given["at"]) if given else 0))
    return lots
def window(r, positions, rounds, haircuts):  # the lowest, the highest and the latest value
    all_ = [sum(lot[4] for lot in lots_of(r, positions, at, haircuts)) for at in rounds]
    return min(all_), max(all_), all_[-1]
def sellable(r, lots, terms):  # in the order of the sale, those that bring more than their costs
    found = []
    for asset, units, price, cut, _, _ in lots:
        facts = r["assets"][asset]
        fee = 0 if facts["in_kind"] else int(terms["sale_fee_ppm"])
        proceeds = market(r, asset, units, price) if price and cut else 0
        if proceeds > up(proceeds * fee, ONE):
            found.append((facts["sale_rank"], -int(cut), asset, units, price, fee))
    return sorted(found)
def resume(r, at, since, least, now):  # in the union of the pauses an instant stands still
    spans, before = [], None
    for p in r["pauses"]:
        until, first = min(ms(p["until"]), now) if "until" in p else now, max(ms(p["from"]), since)
        is_short = p["kind"] == "outage" and until - ms(p["from"]) <= r["rules"]["outage_ms"]
        if until >= first and not is_short: spans.append((first, until, p["kind"] != "outage"))
    for edge in sorted({edge for span in spans for edge in span[:2]}):
        start, before = edge if before is None else before, edge
        if at >= start and any(a <= start and b >= edge for a, b, _ in spans): at += edge - start
        if least and any(b == edge and is_hold for _, b, is_hold in spans): at = max(at, edge + least)
    return at
def tier_at(debt, worth, terms):
    if worth >= floor_of(debt, terms["floor_ltv_ppm"]): return 0
    return max((t["tier"] for t in terms["tiers"] if debt * ONE > int(t["above_ltv_ppm"]) * worth), default=1)
def decide(r, d, state):  # state: where the window of the warning ends, where it is cut, since when
    terms, now, name = r["terms"][d["terms"]], ms(d["at"]), "decision %s: " % d["number"]
    debt, cuts, result = sum(owed(d["debt"], now)), terms["haircuts_ppm"], d["result"]
    _, high, latest = window(r, d["positions"], d["rounds"], cuts)
    least = [dict(p, units=p.get("curing_units", p["units"])) for p in d["positions"]]
    low, lots = window(r, least, d["rounds"], cuts)[0], lots_of(r, d["positions"], d["rounds"][-1], cuts)
    stated = d["debt_cents"], *(d["values"][of + "_cents"] for of in ("low", "high", "latest"))
    check(tuple(map(int, stated)) == (debt, low, high, latest), name + "debt or value")
    check(100 * sum(lot[4] for lot in lots if lot[5] < now - terms["stale_ms"]) <= latest + 99, name + "old")
    eased, floor = int(d.get("eased_cents", debt)), floor_of(debt, terms["cure_ltv_ppm"])
    tier, critical = tier_at(debt, high, terms), eased * ONE > int(terms["critical_ltv_ppm"]) * high
    span, warning = {t["tier"]: t["window_ms"] for t in terms["tiers"]}, d.get("warning")
    if state:
        (end, cut, since), more, rest = state, terms["flicker_ms"], r["rules"]["least_after_pause_ms"]
        end = resume(r, end, since, rest, now)
        cure = resume(r, cut, cut, None, now) if cut else end
        flicker = resume(r, state[0] + more, since, rest + more, now)
        check(end == ms(warning["window_deadline"]), name + "the deadline")
        check(cure == ms(warning["cure_deadline"]), name + "the deadline to cure")
    if d["kind"] == "escalate":
        is_now = critical and warning["tier"] == 3
        check(latest < floor and result["reason"] == ("critical" if is_now else "deadline"), name + "why")
        held = [int(one["cents"]) for one in d["reported"] if ms(one["holds_until"]) > now]
        left = floor_of(max(0, debt - sum(held)), terms["cure_ltv_ppm"])
        is_due = now > end and (high < floor or now > flicker)
        return check(is_now or is_due and (critical or not held or high < left), name + "not due")
    can_sell, least = bool(sellable(r, lots, terms)), int(terms["least_cents"])
    if d["kind"] == "raise":
        relapse, to = d.get("last_cure"), tier if can_sell and not critical else 3
        end = now + span[to]
        if relapse and ms(relapse["cured_at"]) + terms["relapse_ms"] >= now:
            end = min(end, now + max(relapse["left_ms"], terms["relapse_least_ms"]))
        cure = now if (critical if can_sell else eased >= least) else end
        check(debt >= least and (tier or not can_sell), name + "no breach")
    else:
        to = 3 if critical else tier
        cure = min(ms(warning["cure_deadline"]), now if critical else now + span[to])
        check(low < floor and to > warning["tier"], name + "no worse")
    check([to, cure] == [result["tier"], ms(result["cure_deadline"])], name + "tier or deadline")
    if warning and now + span[to] >= end: return state[0], cure if cure < end else None, since
    end = now + span[to] if warning else end
    return end, cure if cure < end else None, now
def plan(r, p, name):
    terms, debt = r["terms"][p["terms"]], sum(owed(p["debt"], ms(p["at"])))
    check(debt == int(p["debt_cents"]), name + "the debt is another")
    if debt == 0: return "debt_nil"
    debt, cuts = int(p.get("eased_cents", debt)), terms["haircuts_ppm"]
    _, high, worth = window(r, p["positions"], p["rounds"], cuts)
    if max(high, worth) >= floor_of(debt, terms["cure_ltv_ppm"]): return "floor_clear"
    lots = sellable(r, lots_of(r, p["positions"], p["rounds"][-1], cuts), terms)
    if not lots: return "nothing_sellable"
    _, cut, asset, units, price, fee = lots[0]
    kept, counted, target = ONE - fee, ONE + cut, int(terms["target_ltv_ppm"])
    missing, gained = debt * ONE - target * worth, kept * ONE - target * counted
    gross, part = up(debt * ONE, kept), up(missing * ONE, gained) if gained > 0 else 0
    is_dust = (worth - int(terms["dust_cents"])) * ONE < part * counted
    if debt * ONE < int(terms["deep_ltv_ppm"]) * worth and part > 0 and not is_dust: gross = part
    return asset, min(units, up(gross * one_of(r, asset) * USD, price * 100))
def sale(r):
    sums = dict.fromkeys(("proceeds", "costs", "interest", "principal", "surplus"), 0)
    booked, end, totals, statement = {}, r["end"], r["totals"], r["statement"]
    for step in r["steps"]:
        name, order, fill = "step %s: " % step["number"], step["order"], step.get("fill")
        asset, units = order["asset"], int(order["units"])
        check(plan(r, step["plan"], name) == (asset, units), name + "the plan is another")
        if not fill: continue
        got, costs = int(fill["proceeds_cents"]), int(fill["costs_cents"])
        last = {one["asset"]: int(one["price"]) for one in r["rounds"][step["plan"]["rounds"][-1]]}
        least = market(r, asset, int(fill["units"]), last[asset])
        slip = (least - got) * ONE // least if least else None
        check(slip is None or int(fill["slippage_bps"].replace(".", "")) == slip, name + "slippage")
        (principal, interest), net = owed(fill["debt"], ms(fill["booked_at"])), max(0, got - costs)
        interest, principal = min(net, interest), min(max(0, net - interest), principal)
        paid = got, min(got, costs), interest, principal, net - interest - principal
        for which, cents in zip(sums, paid): sums[which] += cents
        for which, cents in list(zip(sums, paid))[2:]: check(int(fill[which + "_cents"]) == cents, name + which)
        booked["sale/%s/%s" % (r["margin_call_number"], step["number"])] = -principal, -interest
    for which, cents in sums.items(): check(int(totals[which + "_cents"]) == cents, "sum of " + which)
    is_sold = any(int(step.get("fill", {}).get("units", 0)) for step in r["steps"])
    why, owing = plan(r, end, "the end: "), owed(end["debt"], ms(end["at"]))
    outcome = ("full" if why == "debt_nil" else "partial") if is_sold else "not_needed"
    if why == "nothing_sellable": outcome = "deficit"
    deficit = sum(owing) if outcome == "deficit" else 0
    check((why, outcome) == (end["reason"], end["outcome"]), "the end: another reason or outcome")
    check(int(totals["deficit_cents"]) == deficit, "the deficit is another")
    pair = lambda of: (int(of["principal_cents"]), int(of["interest_cents"]))
    total = pair(statement["opening"])
    for line in statement["lines"]:
        total = tuple(map(sum, zip(total, pair(line))))
        check(total == pair(line["balance"]), "the statement at %s" % line["value_at"])
        own = booked.get(line.get("source_id")) if line["type"] == "sale" else None
        check(own is None or own == pair(line), "the booking of a fill")
    check(total == pair(statement["closing"]), "the closing of the statement")
    check((total[0], max(0, total[1])) == ((0, 0) if deficit else owing), "the debt")
    for one in (price for round_ in r["rounds"] for price in round_ if price["sources"]):
        q = sorted(int(quote["price"]) for quote in one["sources"])
        check((q[len(q) // 2] + q[(len(q) - 1) // 2]) // 2 == int(one["price"]), "a price is no median")
def main(path, keys=None):
    try:
        r, state = open_file(open(path, "rb").read(), json.load(open(keys)) if keys else None), None
        for decision in r["decisions"]: state = decide(r, decision, state)
        sale(r)
    except Exception as error: FAULTS.append("%s: %s" % (type(error).__name__, error))
    print("\n".join(FAULTS) or "Right to the cent: %(facility_id)s, call %(margin_call_number)s." % r)
    sys.exit(1 if FAULTS else 0)
if __name__ == "__main__": main(*sys.argv[1:])
