import { plainToInstance } from 'class-transformer';
import { IsIn, IsInt, IsJSON, IsUrl, Length, Matches, Max, Min, MinLength, validateSync } from 'class-validator';
import type { LogLevel } from '@nestjs/common';
import type { JobOverrides } from 'nestjs-scheduled-jobs';

const LOG_LEVELS = ['error', 'warn', 'log', 'debug'] as const satisfies readonly LogLevel[];

/** Everything that this application reads from its environment. */
class Environment {
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must be a URL that starts with postgres://' })
  readonly DATABASE_URL: string;

  /** Every request must carry it. */
  @MinLength(16, { message: 'API_TOKEN must have at least 16 characters' })
  readonly API_TOKEN: string;

  /** Who holds it, as the audit names them. */
  @Length(1, 200)
  readonly API_USER: string = 'operator';

  @IsUrl({ protocols: ['http', 'https'], require_tld: false })
  readonly ORDER_SERVER_URL: string;

  /** Who may connect: `0.0.0.0` lets other machines in. */
  readonly HOST: string = '127.0.0.1';

  /** 0 = any free one. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  readonly PORT: number = 3_000;

  /** `check` refuses to start on tables that do not fit; `run` brings them to the version of this build first. */
  @IsIn(['run', 'check'])
  readonly MIGRATIONS: 'run' | 'check' = 'run';

  /** `on` = this process turns due periods into executions. */
  @IsIn(['on', 'off'])
  readonly SCHEDULER: 'on' | 'off' = 'on';

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
  apiToken: environment.API_TOKEN,
  apiUser: environment.API_USER,
  orderServerUrl: environment.ORDER_SERVER_URL,
  host: environment.HOST,
  port: environment.PORT,
  migrations: environment.MIGRATIONS,
  scheduler: environment.SCHEDULER === 'on',
  jobs: JSON.parse(environment.JOB_OVERRIDES) as JobOverrides,
  logLevel: environment.LOG_LEVEL,
} as const;
