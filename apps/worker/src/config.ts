import type { LogLevel } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsInt, IsJSON, IsOptional, IsUrl, Matches, Max, Min, validateSync } from 'class-validator';
import type { Duration, JobOverrides } from 'nestjs-scheduled-jobs';

const LOG_LEVELS = ['error', 'warn', 'log', 'debug'] as const satisfies readonly LogLevel[];

/** Everything that this application reads from its environment. */
class Environment {
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must be a URL that starts with postgres://' })
  readonly DATABASE_URL: string;

  @IsUrl({ protocols: ['http', 'https'], require_tld: false })
  readonly ORDER_SERVER_URL: string;

  /** `check` refuses to start on tables that do not fit; `run` brings them to the version of this build first. */
  @IsIn(['run', 'check'])
  readonly MIGRATIONS: 'run' | 'check' = 'run';

  /** `on` = this process also turns due periods into executions. */
  @IsIn(['on', 'off'])
  readonly SCHEDULER: 'on' | 'off' = 'on';

  /** Executions that run at the same time. */
  @IsInt()
  @Min(1)
  @Max(100)
  readonly CONCURRENCY: number = 10;

  /** How often the worker looks for work when no hint arrives. */
  @Matches(/^\d+(ms|s|m)$/, { message: 'POLL_INTERVAL must be a duration such as 5s' })
  readonly POLL_INTERVAL: Duration = '5s';

  /** How long running handlers may go on after the shutdown began. */
  @Matches(/^\d+(ms|s|m)$/, { message: 'SHUTDOWN_TIMEOUT must be a duration such as 25s' })
  readonly SHUTDOWN_TIMEOUT: Duration = '25s';

  /** Where probes and metrics are served; 0 = any free port. Default nowhere. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  readonly PROBE_PORT?: number;

  /** Who may ask for them: `0.0.0.0` lets other machines in. */
  readonly PROBE_HOST: string = '127.0.0.1';

  /** Options by job name, such as `{"points":{"lease":"1s"}}`. */
  @IsJSON()
  readonly JOB_OVERRIDES: string = '{}';

  @IsIn(LOG_LEVELS)
  readonly LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'log';
}

function readEnvironment(): Environment {
  const environment = plainToInstance(Environment, process.env, { enableImplicitConversion: true });
  const problems = validateSync(environment).flatMap(({ constraints }) => Object.values(constraints ?? {}));
  // the texts name no values, for some are secret
  if (problems.length > 0) throw new Error(`The environment does not fit:\n- ${problems.join('\n- ')}`);
  return environment;
}

const environment = readEnvironment();

/** The environment, checked, under the names that the code uses. */
export const config = {
  databaseUrl: environment.DATABASE_URL,
  orderServerUrl: environment.ORDER_SERVER_URL,
  migrations: environment.MIGRATIONS,
  scheduler: environment.SCHEDULER === 'on',
  concurrency: environment.CONCURRENCY,
  pollInterval: environment.POLL_INTERVAL,
  shutdownTimeout: environment.SHUTDOWN_TIMEOUT,
  probes: environment.PROBE_PORT === undefined ? null : { port: environment.PROBE_PORT, host: environment.PROBE_HOST },
  jobs: JSON.parse(environment.JOB_OVERRIDES) as JobOverrides,
  logLevel: environment.LOG_LEVEL,
} as const;
