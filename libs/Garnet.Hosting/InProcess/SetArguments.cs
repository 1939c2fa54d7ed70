// The words of a SET's options. Stateless.
namespace Garnet.Hosting.InProcess;

/// <summary>Adds options to a SET; contradictions are answered by the command.</summary>
internal static class SetArguments
{
    /// <exception cref="ArgumentException">Two expiries were given.</exception>
    public static void Add(InProcessSession session, in SetOptions options)
    {
        if (options is { ExpiresAfter: not null, ExpiresAt: not null })
            throw new ArgumentException("ExpiresAfter and ExpiresAt exclude each other.", nameof(options));
        if (options.Condition != SetCondition.Always)
            session.Add(options.Condition == SetCondition.IfMissing ? "NX"u8 : "XX"u8);
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
}
