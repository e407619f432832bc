import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { config } from './config.js';
import { signIn } from './sign-in.js';

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: [config.logLevel] });
app.use(signIn);
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
await app.listen(config.port, config.host);
const { port } = app.getHttpServer().address() as { readonly port: number };
process.send?.({ ready: true, port });
