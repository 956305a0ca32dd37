/*
 * Migrations are written for SQLite. PostgreSQL gets the same schema by these rules; a test compares the
 * catalogues of both.
 */

/** Functions that the schema needs, made before the first migration. */
export const PRELUDE = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;
  CREATE SEQUENCE merchants_number;
  CREATE FUNCTION number_merchant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN NEW.number := nextval('merchants_number'); RETURN NEW; END $$;`

/** Made after the migration that creates the table: SQLite gives numbers by itself. */
const NUMBERS = `
  CREATE TRIGGER merchants_number BEFORE INSERT ON merchants FOR EACH ROW
  WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_merchant();`

/**
 * A reference is checked by looking for the other row. In a serializable transaction, such a look conflicts
 * with everybody who inserts near that place of the index, so the orders of new customers would conflict with
 * each other. Triggers keep this reference instead. The first one tries to insert the customer again, which
 * finds the row without looking for it in that sense.
 */
const LOOSE = 'customer_id TEXT NOT NULL REFERENCES customers (id)'

const CUSTOMERS = `
  CREATE FUNCTION require_customer() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO customers (id, merchant_id, email, email_key, created_at)
    VALUES (NEW.customer_id, NEW.merchant_id, '', '', 0) ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN
      RAISE EXCEPTION 'an order needs its customer' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE FUNCTION keep_customer() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM orders WHERE customer_id = OLD.id) THEN
      RAISE EXCEPTION 'a customer with orders cannot be deleted' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END $$;
  CREATE TRIGGER orders_customer BEFORE INSERT OR UPDATE OF customer_id ON orders FOR EACH ROW
  EXECUTE FUNCTION require_customer();
  CREATE TRIGGER customers_of_orders BEFORE DELETE OR UPDATE OF id ON customers FOR EACH ROW
  EXECUTE FUNCTION keep_customer();`

const TRIGGER = new RegExp(
  [
    /CREATE TRIGGER (\w+) BEFORE (INSERT|DELETE|UPDATE(?: OF [\w, ]+)?) ON (\w+)\s+/,
    /(?:WHEN ([\s\S]*?)\s+)?BEGIN SELECT RAISE\(ABORT, ('[^']*')\); END;/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
)

/** PostgreSQL has no statement that replaces rows, which a trigger with EXISTS guards against. */
const trigger = (
  _: string,
  name: string,
  event: string,
  table: string,
  when: string | undefined,
  text: string,
) =>
  when?.startsWith('EXISTS')
    ? ''
    : `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW ` +
      `${when === undefined ? '' : `WHEN (${when}) `}EXECUTE FUNCTION refuse_change(${text});`

/** A regular expression for a pattern of GLOB. */
const patternOf = (glob: string): string =>
  `^${glob.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')}$`

/** Takes out references to tables that come later, and adds them at the end. */
function orderReferences(sql: string): string {
  const known = new Set<string>()
  const late: string[] = []
  const ordered = sql.replaceAll(
    /CREATE TABLE (\w+) \(\n([\s\S]*?)\n\);/g,
    (_, table: string, columns: string) => {
      known.add(table)
      const kept = columns.replaceAll(
        /^( {2}(\w+) [^\n]*?) REFERENCES (\w+) \((\w+)\)/gm,
        (found, before: string, column: string, other: string, key: string) => {
          if (known.has(other)) return found
          late.push(`ALTER TABLE ${table} ADD FOREIGN KEY (${column}) REFERENCES ${other} (${key});`)
          return before
        },
      )
      return `CREATE TABLE ${table} (\n${kept}\n);`
    },
  )
  return `${ordered}\n${late.join('\n')}`
}

/** A migration as PostgreSQL reads it. */
export function ddlOf(sql: string): string {
  const plain = sql
    .replaceAll(LOOSE, 'customer_id TEXT NOT NULL')
    .replaceAll(/--[^\n]*$/gm, '')
    .replaceAll(TRIGGER, trigger)
    .replaceAll(/\) STRICT(?:, WITHOUT ROWID)?;/g, ');')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/\bBLOB\b/g, 'BYTEA')
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replaceAll(/\bjson_valid\((\w+)\)/g, '($1::json IS NOT NULL)')
    .replaceAll(/\bchar\(/g, 'chr(')
    .replaceAll(/\binstr\(/g, 'strpos(')
    .replaceAll(/ GLOB '([^']*)'/g, (_, glob: string) => ` ~ '${patternOf(glob)}'`)
  const numbers = /CREATE TABLE merchants\b/.test(plain) ? NUMBERS : ''
  const customers = sql.includes(LOOSE) ? CUSTOMERS : ''
  return `${orderReferences(plain)}\n${numbers}\n${customers}`
}
