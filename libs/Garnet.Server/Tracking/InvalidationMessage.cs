// The messages of tracking as bytes. Stateless.
using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Garnet.Server.Tracking;

/// <summary>
/// In RESP3 the push <code>&gt;2 invalidate keys</code>, in RESP2 the message <code>*3 message __redis__:invalidate keys</code>; the keys
/// are an array, or null for all of them. Messages are kept in RESP3.
/// </summary>
internal static class InvalidationMessage
{
    private const int MaxHeader = 1 + 10 + 2;

    private static readonly byte[] FlushedResp2 = [.. Head, .. "$-1\r\n"u8];
    private static readonly byte[] FlushedResp3 = [.. Head, .. "_\r\n"u8];

    /// <summary>What all messages of tracking in RESP3 begin with.</summary>
    public static ReadOnlySpan<byte> Begin => ">2\r\n"u8;

    private static ReadOnlySpan<byte> Head => ">2\r\n$10\r\ninvalidate\r\n"u8;

    private static ReadOnlySpan<byte> HeadInResp2 => "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n"u8;

    /// <summary>One key.</summary>
    public static byte[] OfKey(ReadOnlySpan<byte> key)
    {
        byte[] message = GC.AllocateUninitializedArray<byte>(Head.Length + 4 + HeaderLength(key.Length) + key.Length + 2);
        Head.CopyTo(message);
        "*1\r\n"u8.CopyTo(message.AsSpan(Head.Length));
        Append(message, Head.Length + 4, key);
        return message;
    }

    /// <summary>Several keys.</summary>
    public static byte[] OfKeys(ReadOnlySpan<byte[]> keys)
    {
        int length = Head.Length + HeaderLength(keys.Length);
        foreach (byte[] key in keys)
            length = checked(length + HeaderLength(key.Length) + key.Length + 2);
        byte[] message = GC.AllocateUninitializedArray<byte>(length);
        Head.CopyTo(message);
        int used = AppendHeader(message, Head.Length, (byte)'*', keys.Length);
        foreach (byte[] key in keys)
            used = Append(message, used, key);
        return message;
    }

    /// <summary>All keys. As in Valkey the null follows the tracking client's protocol version, not the receiver's.</summary>
    public static byte[] Flushed(int protocolVersion) => protocolVersion > 2 ? FlushedResp3 : FlushedResp2;

    /// <summary>A message as RESP2 subscribers receive it.</summary>
    public static byte[] InResp2(byte[] message) => [.. HeadInResp2, .. message.AsSpan(Head.Length)];

    /// <summary>Notifies a client that the one to which its invalidations are redirected has disconnected.</summary>
    public static byte[] BrokenRedirect(long id) =>
        Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $">2\r\n$21\r\ntracking-redir-broken\r\n:{id}\r\n"));

    private static int HeaderLength(int number)
    {
        Span<byte> digits = stackalloc byte[MaxHeader];
        return AppendHeader(digits, 0, (byte)'$', number);
    }

    private static int Append(Span<byte> target, int used, ReadOnlySpan<byte> key)
    {
        used = AppendHeader(target, used, (byte)'$', key.Length);
        key.CopyTo(target[used..]);
        "\r\n"u8.CopyTo(target[(used + key.Length)..]);
        return used + key.Length + 2;
    }

    private static int AppendHeader(Span<byte> target, int used, byte kind, int number)
    {
        target[used++] = kind;
        Utf8Formatter.TryFormat(number, target[used..], out int digits);
        used += digits;
        "\r\n"u8.CopyTo(target[used..]);
        return used + 2;
    }
}
