import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'

/** Prints a token for development. In production, whoever knows the caller makes it. */
async function main([workspace, session, hours = '1']: readonly string[]): Promise<void> {
  const secrets = join(import.meta.dirname, '.dev.vars')
  if (existsSync(secrets)) process.loadEnvFile(secrets)
  const { TOKEN_SECRET: secret = '' } = process.env
  if (workspace === undefined || session === undefined) {
    throw new Error('Usage: make-token.ts WORKSPACE SESSION [HOURS]')
  }
  if (secret.length < 32) {
    throw new Error(
      `TOKEN_SECRET is needed, of 32 characters or more, in the environment or ${secrets}.`,
    )
  }
  const token = await new SignJWT({ workspace, session })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(new Date(Date.now() + Number(hours) * 3_600_000))
    .sign(new TextEncoder().encode(secret))
  process.stdout.write(`${token}\n`)
}

await main(process.argv.slice(2))
