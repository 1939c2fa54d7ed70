// Splits and corrupts requests at random. Stateless; any thread.

namespace Garnet.Testing;

/// <summary>Random modifications of requests.</summary>
internal static class RespFuzzing
{
    private const int LongestPauseMs = 1;

    private static readonly byte[][] Tokens =
    [
        "\r\n"u8.ToArray(),
        "\n"u8.ToArray(),
        "\r"u8.ToArray(),
        "\0"u8.ToArray(),
        "*"u8.ToArray(),
        "$"u8.ToArray(),
        "*0\r\n"u8.ToArray(),
        "*-1\r\n"u8.ToArray(),
        "$-1\r\n"u8.ToArray(),
        "*1\r\n"u8.ToArray(),
        "$0\r\n\r\n"u8.ToArray(),
        "*2147483647\r\n"u8.ToArray(),
        "$536870912\r\n"u8.ToArray(),
        "$16384\r\n"u8.ToArray(),
        "$9223372036854775807\r\n"u8.ToArray(),
        "*00001\r\n"u8.ToArray(),
        "\"\\xff"u8.ToArray(),
        "' "u8.ToArray(),
        "PING\r\n"u8.ToArray(),
        "MULTI\r\n"u8.ToArray(),
        "EXEC\r\n"u8.ToArray(),
        "DISCARD\r\n"u8.ToArray(),
        "RESET\r\n"u8.ToArray(),
        "HELLO 3\r\n"u8.ToArray(),
        "*1\r\n$4\r\nPING\r\n"u8.ToArray(),
        "*3\r\n$3\r\nSET\r\n"u8.ToArray(),
    ];

    /// <summary>Sends bytes in pieces of random sizes, mostly with pauses so that the server may read them separately.</summary>
    public static void SendInPieces(RespExchange client, ReadOnlySpan<byte> bytes, Random random)
    {
        int largest = random.Next(4) switch
        {
            0 => 8,
            1 => 1000,
            2 => 40_000,
            _ => 2_000_000,
        };
        largest = Math.Max(largest, bytes.Length / 200);
        while (!bytes.IsEmpty)
        {
            int length = Math.Min(bytes.Length, random.Next(1, largest + 1));
            if (!client.TrySend(bytes[..length]))
                return;
            bytes = bytes[length..];
            // So that parts arrive apart, or together.
            if (random.Next(20) == 0)
                Thread.Sleep(random.Next(LongestPauseMs + 1));
        }
    }

    /// <summary>Corrupts bytes: changes, removes or duplicates some, or inserts tokens of the protocol.</summary>
    public static byte[] Mutate(byte[] bytes, Random random)
    {
        List<byte> mutated = [.. bytes];
        for (int i = random.Next(1, 6); i > 0 && mutated.Count > 0; i--)
        {
            int position = random.Next(mutated.Count);
            int length = Math.Min(mutated.Count - position, random.Next(1, 1 << random.Next(1, 10)));
            switch (random.Next(6))
            {
                case 0:
                    mutated[position] = (byte)random.Next(256);
                    break;
                case 1:
                    mutated[position] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    mutated.RemoveRange(position, length);
                    break;
                case 3:
                    mutated.InsertRange(position, mutated.GetRange(position, length));
                    break;
                case 4:
                    mutated.RemoveRange(position, mutated.Count - position);
                    break;
                default:
                    mutated.InsertRange(position, Tokens[random.Next(Tokens.Length)]);
                    break;
            }
        }

        return [.. mutated];
    }
}
