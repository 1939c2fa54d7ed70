// Effects of the current command as RESP bytes, until the dispatcher hands them to the write sink. One per session, made on first use.
using System.Buffers;
using Garnet.Protocol;

namespace Garnet.Server.Commands;

/// <summary>Collects what a write did, as RESP arrays of bulk strings.</summary>
public sealed class EffectBuffer
{
    private const int InitialBytes = 256;
    private const int KeptBytes = 64 * 1024;

    private ArrayBufferWriter<byte> bytes = new(InitialBytes);

    /// <summary>The effects so far.</summary>
    public ReadOnlySpan<byte> Written => bytes.WrittenSpan;

    /// <summary>Number of effects begun.</summary>
    public int Count { get; private set; }

    /// <summary>Begins an effect of this many arguments, the command's name included.</summary>
    public EffectBuffer Begin(int argumentCount)
    {
        Count++;
        Header((byte)'*', argumentCount);
        return this;
    }

    /// <summary>Adds an argument.</summary>
    public EffectBuffer Add(ReadOnlySpan<byte> argument)
    {
        Header((byte)'$', argument.Length);
        bytes.Write(argument);
        bytes.Write("\r\n"u8);
        return this;
    }

    /// <summary>Adds an integer as its decimal digits.</summary>
    public EffectBuffer Add(long value)
    {
        Span<byte> digits = stackalloc byte[20];
        value.TryFormat(digits, out int length);
        return Add(digits[..length]);
    }

    /// <summary>Puts MULTI before and EXEC behind what was collected, so that a reader applies all of it or nothing.</summary>
    public void EnvelopAsTransaction()
    {
        byte[] inner = bytes.WrittenSpan.ToArray();
        bytes.ResetWrittenCount();
        Begin(1).Add("MULTI"u8);
        bytes.Write(inner);
        Begin(1).Add("EXEC"u8);
    }

    /// <summary>Forgets everything; keeps the memory unless it grew large.</summary>
    public void Clear()
    {
        Count = 0;
        if (bytes.Capacity > KeptBytes)
            bytes = new ArrayBufferWriter<byte>(InitialBytes);
        else
            bytes.ResetWrittenCount();
    }

    private void Header(byte kind, int number)
    {
        Span<byte> span = bytes.GetSpan(16);
        span[0] = kind;
        number.TryFormat(span[1..], out int digits);
        "\r\n"u8.CopyTo(span[(1 + digits)..]);
        bytes.Advance(digits + 3);
    }
}
