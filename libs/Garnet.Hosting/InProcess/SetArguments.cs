// The words of a SET's options. Stateless.
using System.Globalization;
using System.Text;

namespace Garnet.Hosting.InProcess;

/// <summary>Adds options to a SET; contradictions are answered by the command.</summary>
internal static class SetArguments
{
    /// <exception cref="ArgumentException">Two expiries were given.</exception>
    public static void Add(InProcessSession session, in SetOptions options)
    {
        Check(options);
        if (options.Condition != SetCondition.Always)
            session.Add(Word(options.Condition));
        if (options.KeepsExpiry)
            session.Add("KEEPTTL"u8);
        if (options.ExpiresAfter is { } after)
        {
            session.Add("PX"u8);
            session.Add(Milliseconds.RoundUp(after));
        }

        if (options.Sliding is { } sliding)
        {
            session.Add("SLIDING"u8);
            session.Add(Milliseconds.RoundUp(sliding));
        }

        if (options.ExpiresAt is { } at)
        {
            session.Add("PXAT"u8);
            session.Add(at.ToUnixTimeMilliseconds());
        }
    }

    /// <summary>The same as arguments of their own.</summary>
    /// <exception cref="ArgumentException">Two expiries were given.</exception>
    public static ReadOnlyMemory<byte>[] Of(in SetOptions options)
    {
        Check(options);
        List<ReadOnlyMemory<byte>> arguments = [];
        if (options.Condition != SetCondition.Always)
            arguments.Add(Word(options.Condition).ToArray());
        if (options.KeepsExpiry)
            arguments.Add("KEEPTTL"u8.ToArray());
        if (options.ExpiresAfter is { } after)
            AddNumber("PX"u8, Milliseconds.RoundUp(after));
        if (options.Sliding is { } sliding)
            AddNumber("SLIDING"u8, Milliseconds.RoundUp(sliding));
        if (options.ExpiresAt is { } at)
            AddNumber("PXAT"u8, at.ToUnixTimeMilliseconds());
        return [.. arguments];

        void AddNumber(ReadOnlySpan<byte> word, long number)
        {
            arguments.Add(word.ToArray());
            arguments.Add(Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture)));
        }
    }

    private static ReadOnlySpan<byte> Word(SetCondition condition) => condition == SetCondition.IfMissing ? "NX"u8 : "XX"u8;

    private static void Check(in SetOptions options)
    {
        if (options is { ExpiresAfter: not null, ExpiresAt: not null })
            throw new ArgumentException("ExpiresAfter and ExpiresAt exclude each other.", nameof(options));
    }
}
