// Random writes of all types. One thread each.
using System.Globalization;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Replication;

/// <summary>
/// Commands whose effects differ from the request are among them: random choices, relative expiries, conversions and transactions.
/// </summary>
internal sealed class ReplicatedHistory(int seed)
{
    private const int KeysOfAKind = 40;

    private readonly Random _random = new(seed);

    /// <summary>Executes a number of random commands.</summary>
    public void Run(RespExchange client, int commands)
    {
        for (int i = 0; i < commands; i++)
        {
            if (i % 50 == 0)
                client.Execute("SELECT", _random.Next(2) == 0 ? "0" : "9");
            foreach (string[] command in Next())
                client.Execute(command);
        }
    }

    private string[][] Next() =>
        _random.Next(20) switch
        {
            0 =>
            [
                ["SET", Key("s"), Text()],
            ],
            1 =>
            [
                ["APPEND", Key("s"), Text()],
            ],
            2 =>
            [
                ["SETRANGE", Key("s"), Number(50), Text()],
            ],
            3 =>
            [
                ["RPUSH", Key("l"), Text(), Text()],
            ],
            4 =>
            [
                ["LPOP", Key("l")],
            ],
            5 =>
            [
                ["LMOVE", Key("l"), Key("l"), "LEFT", "RIGHT"],
            ],
            6 =>
            [
                ["HSET", Key("h"), "f" + Number(20), Text()],
            ],
            7 =>
            [
                ["HINCRBYFLOAT", Key("n"), "f" + Number(5), "0.25"],
            ],
            8 =>
            [
                ["SADD", Key("e"), Number(30), Text()],
            ],
            9 =>
            [
                ["SPOP", Key("e"), Number(3)],
            ],
            10 =>
            [
                ["ZADD", Key("z"), Number(100), "m" + Number(20)],
            ],
            11 =>
            [
                ["ZPOPMIN", Key("z")],
            ],
            12 =>
            [
                ["INCRBYFLOAT", Key("f"), "0.5"],
            ],
            13 =>
            [
                ["XADD", Key("x"), "MAXLEN", "~", "20", "*", "a", Text()],
            ],
            14 =>
            [
                ["DEL", Key("s"), Key("l")],
            ],
            15 =>
            [
                ["EXPIRE", Key("s"), "100000"],
            ],
            16 =>
            [
                ["GETEX", Key("s"), "PERSIST"],
            ],
            17 =>
            [
                ["MULTI"],
                ["INCR", Key("c")],
                ["SPOP", Key("e")],
                ["LPUSH", Key("l"), "t"],
                ["EXEC"],
            ],
            18 =>
            [
                ["SETBIT", Key("b"), Number(500), "1"],
            ],
            _ =>
            [
                ["RENAME", Key("s"), Key("s")],
            ],
        };

    private string Key(string kind) => kind + Number(KeysOfAKind);

    private string Number(int below) => _random.Next(below).ToString(CultureInfo.InvariantCulture);

    private string Text() => new((char)('a' + _random.Next(26)), _random.Next(_random.Next(50) == 0 ? 20_000 : 40));
}
