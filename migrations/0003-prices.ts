import { type Kysely, sql } from 'kysely'

/** Accepted prices, and the history of those that a tenant's tests set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The rounds in which prices were accepted: the stack's, not a tenant's. Prices are 10^-8 USD in
    -- text. prices is {asset: {price, at}}, those that stand after the round, also where an earlier
    -- one accepted them; sources is {asset: [{source, price, at}]} of those accepted in it.
    CREATE TABLE price_rounds (
      accepted_at timestamptz PRIMARY KEY,
      prices      jsonb NOT NULL,
      sources     jsonb NOT NULL
    );
    -- One row: the last round that a worker has begun, and {asset: {price, since}} of the jumps that
    -- wait to be confirmed.
    CREATE TABLE price_feed (
      only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      slot       bigint NOT NULL DEFAULT 0,
      candidates jsonb NOT NULL DEFAULT '{}'
    );
    INSERT INTO price_feed DEFAULT VALUES;

    -- What a tenant's tests have set on the sandbox, from which instant of its domain time; null is
    -- the market's price. The newest that has come holds.
    CREATE TABLE sandbox_price_history (
      tenant_id text NOT NULL REFERENCES tenants,
      asset     text NOT NULL,
      set_at    timestamptz NOT NULL,
      price     numeric CHECK (price > 0 AND price < 1e30),
      PRIMARY KEY (tenant_id, asset, set_at)
    );
    INSERT INTO sandbox_price_history (tenant_id, asset, set_at, price)
      SELECT tenant_id, asset, set_at, price FROM sandbox_prices;
    DROP TABLE sandbox_prices;
  `)
    .execute(db)
}
