import { workerData } from 'node:worker_threads'
import { escapeIdentifier } from 'pg'
import { postgresDb, type StoreNews } from '../compare/tally/postgres/postgres-db.ts'
import { answerCutover } from '../cutover/store/ask-cutover.ts'
import { postgresCutover } from '../cutover/store/postgres-cutover.ts'
import { openDatabase } from '../state/postgres/open-database.ts'
import { postgresEngine } from '../state/postgres/postgres-engine.ts'
import { loginDb } from '../usage/logins/login-db.ts'
import { answerLogins } from '../usage/logins/login-store.ts'
import { answerUsage, usageDb } from '../usage/store/usage-db.ts'
import type { PostgresStoreData } from './open-stores.ts'
import { answerCalls, tell } from './rpc.ts'

// The thread of `openPostgresStore`. Only this thread waits for the database.
const { settings, ...replica } = workerData as PostgresStoreData

const { schema } = settings
const database = openDatabase(settings)
const db = postgresDb({ ...replica, database, schema, tell: (news: StoreNews) => tell(news) })

const cutover = answerCutover(postgresCutover(db, schema))
const engine = postgresEngine(db)
const usage = answerUsage(usageDb(engine))
const logins = answerLogins(loginDb({ engine, schema: escapeIdentifier(schema), look: db.query }))

answerCalls({ ...db, cutover, usage, logins })
