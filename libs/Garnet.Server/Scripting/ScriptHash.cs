// SHA-1 hashes of scripts. Immutable; any thread.
using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Garnet.Server.Scripting;

/// <summary>The hash by which scripts are called.</summary>
internal readonly record struct ScriptHash(ulong First, ulong Second, uint Third)
{
    /// <summary>The length of its text.</summary>
    public const int TextLength = 40;

    private const int Bytes = Sha1.HashBytes;

    // OpenSSL is faster for long texts, but loading it takes ten milliseconds: from here on it saves a tenth of that with each.
    private const int LongBytes = 512 * 1024;

    public static ScriptHash Of(ReadOnlySpan<byte> script)
    {
        Span<byte> hash = stackalloc byte[Bytes];
#pragma warning disable CA5350 // The protocol names scripts by SHA-1.
        if (script.Length >= LongBytes)
            SHA1.HashData(script, hash);
        else
            Sha1.Hash(script, hash);
#pragma warning restore CA5350
        return Read(hash);
    }

    /// <summary>Reads hexadecimal digits of any case; false for anything else.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ScriptHash hash)
    {
        hash = default;
        if (text.Length != TextLength)
            return false;
        Span<byte> bytes = stackalloc byte[Bytes];
        for (int i = 0; i < Bytes; i++)
        {
            int high = Digit(text[2 * i]);
            int low = Digit(text[(2 * i) + 1]);
            if ((high | low) < 0)
                return false;
            bytes[i] = (byte)((high << 4) | low);
        }

        hash = Read(bytes);
        return true;
    }

    /// <summary>Forty lower-case hexadecimal digits.</summary>
    public void Format(Span<byte> text)
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, First);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], Second);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[16..], Third);
        Convert.TryToHexStringLower(bytes, text, out _);
    }

    private static ScriptHash Read(ReadOnlySpan<byte> hash) =>
        new(
            BinaryPrimitives.ReadUInt64BigEndian(hash),
            BinaryPrimitives.ReadUInt64BigEndian(hash[8..]),
            BinaryPrimitives.ReadUInt32BigEndian(hash[16..])
        );

    private static int Digit(byte c) =>
        c switch
        {
            >= (byte)'0' and <= (byte)'9' => c - '0',
            >= (byte)'a' and <= (byte)'f' => c - 'a' + 10,
            >= (byte)'A' and <= (byte)'F' => c - 'A' + 10,
            _ => -1,
        };
}
