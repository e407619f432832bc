import { describe, expect, it } from 'vitest';
import { databaseText } from './database-text.js';

describe('a database in messages', () => {
  it.each([
    ['postgres://app:geheim@db.example:6432/shop', 'the database "shop" on db.example:6432 as "app"'],
    ['postgresql://localhost/my%20shop?sslmode=require', 'the database "my shop" on localhost:5432'],
    ['postgres://app:ge%zz@db/100%', 'the database "100%" on db:5432 as "app"'],
    ['postgres:///shop?host=/run/postgresql', 'the database "shop"'],
    ['postgres://app:geheim@one,two:5432/shop', 'the database "shop" on one,two:5432 as "app"'],
    ['postgres://ap:p:ge@heim@:x', 'the database'],
  ])('is named without its password: %s', (url, text) => {
    expect(databaseText(url)).toBe(text);
    expect(databaseText(url)).not.toMatch(/geheim|heim/);
  });
});
