// A rate limiter. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.TokenBucket;

/// <summary>
/// A bucket of tokens for each key: it refills at a steady rate up to its capacity, and each request takes tokens out of it. The bucket is
/// a hash with the number of tokens and the time of that number.
/// </summary>
[Module("limits")]
public sealed class TokenBucketModule : IModule
{
    private CommandToken _set = null!;
    private CommandToken _expire = null!;
    private ModuleOption<long> _maxCapacity = null!;

    public void Load(IModuleHost host)
    {
        _set = host.FindCommand("HSET");
        _expire = host.FindCommand("PEXPIREAT");
        _maxCapacity = host.AddOption("limits.max-capacity", 1_000_000, 1, long.MaxValue);
    }

    [Command(
        "LIM.TAKE",
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Summary = "Takes tokens from a bucket: replies whether there were enough, how many are left, and in how many milliseconds there will be."
    )]
    public void Take(
        ref ModuleContext context,
        [Key] ref HashKey bucket,
        long capacity,
        double tokensPerSecond,
        [Option("COST")] long cost = 1
    )
    {
        if (capacity < 1 || capacity > _maxCapacity.Value || !(tokensPerSecond > 0 && double.IsFinite(tokensPerSecond)) || cost < 0)
        {
            context.Reply.WriteError("ERR capacity, rate or cost is out of range"u8);
            return;
        }

        // Clients may have written anything into the hash.
        double tokens = capacity;
        if (bucket.TryGetDouble("tokens"u8, out double left) && left >= 0 && bucket.TryGetInteger("at"u8, out long at))
            tokens = Math.Min(capacity, left + (Math.Max(0, context.NowMs - at) * tokensPerSecond / 1000));
        bool isAllowed = tokens >= cost;
        if (isAllowed)
            Store(ref context, ref bucket, tokens - cost, (long)Math.Ceiling((capacity - tokens + cost) / tokensPerSecond * 1000));

        context.Reply.WriteArray(3);
        context.Reply.WriteBoolean(isAllowed);
        context.Reply.WriteInteger((long)(isAllowed ? tokens - cost : tokens));
        context.Reply.WriteInteger(
            isAllowed ? 0
            : cost > capacity ? -1
            : (long)Math.Ceiling((cost - tokens) / tokensPerSecond * 1000)
        );
    }

    // A full bucket is as good as none, so the key expires then. The effects are the values, because a repeated call would see another
    // time.
    private void Store(ref ModuleContext context, ref HashKey bucket, double tokens, long fullInMs)
    {
        long expiresAtMs = context.NowMs + Math.Clamp(fullInMs, 1, TimeSpan.MillisecondsPerDay * 365);
        bucket.Set("tokens"u8, tokens);
        bucket.Set("at"u8, context.NowMs);
        bucket.SetExpiry(expiresAtMs);
        context.Replicate(context.Request(_set).Add(context[1]).Add("tokens"u8).Add(tokens).Add("at"u8).Add(context.NowMs));
        context.Replicate(context.Request(_expire).Add(context[1]).Add(expiresAtMs));
    }
}
