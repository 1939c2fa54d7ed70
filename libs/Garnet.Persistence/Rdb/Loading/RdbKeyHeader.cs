// The header before a key's value. Lives on the stack.
using Garnet.Store.Records;

namespace Garnet.Persistence.Rdb.Loading;

/// <summary>The attributes that precede a key, its type and its name.</summary>
internal ref struct RdbKeyHeader
{
    private const int MsPerSecond = 1000;

    /// <summary>Unix milliseconds of expiry, -1 for none.</summary>
    public long ExpiresAtMs { get; private set; }

    /// <summary>The sliding expiry; <c>default</c> when the expiry does not slide.</summary>
    public SlidingExpiry Sliding { get; private set; }

    /// <summary>When a stream's consumers were active, if the file says so (<see cref="RdbActivity"/>).</summary>
    public long[]? Activity { get; private set; }

    /// <summary>Seconds since the key was used; -1 when the file does not say.</summary>
    public long IdleSeconds { get; private set; }

    /// <summary>The key's access frequency, as Valkey's LFU counts it; -1 when the file does not say.</summary>
    public int Frequency { get; private set; }

    /// <summary>Type and encoding of the value.</summary>
    public RdbType Type { get; private set; }

    /// <summary>The key; valid until the scratch is used again.</summary>
    public ReadOnlySpan<byte> Key { get; private set; }

    /// <summary>Reads a header; the value follows in the source.</summary>
    public static RdbKeyHeader Read(scoped ref RdbSource source, RdbScratch scratch)
    {
        var header = new RdbKeyHeader
        {
            ExpiresAtMs = -1,
            IdleSeconds = -1,
            Frequency = -1,
        };
        while (true)
        {
            byte type = source.ReadByte();
            switch (type)
            {
                case RdbOpcode.ExpiryMs:
                    header.ExpiresAtMs = Math.Max(0, source.ReadInt64());
                    break;
                case RdbOpcode.ExpirySeconds:
                    header.ExpiresAtMs = Math.Max(0L, source.ReadInt32()) * MsPerSecond;
                    break;
                case RdbOpcode.Aux:
                    header.ReadProperty(ref source, scratch);
                    break;
                case RdbOpcode.Frequency:
                    header.Frequency = source.ReadByte();
                    break;
                case RdbOpcode.Idle:
                    header.IdleSeconds = (long)Math.Min(source.ReadLength(), long.MaxValue / MsPerSecond);
                    break;
                case >= RdbOpcode.Lowest:
                    throw source.Wrong($"A key is expected, not the opcode {type}");
                default:
                    header.Type = (RdbType)type;
                    header.Key = source.ReadString(scratch);
                    return header;
            }
        }
    }

    // Properties of other writers are ignored.
    private void ReadProperty(scoped ref RdbSource source, RdbScratch scratch)
    {
        ReadOnlySpan<byte> name = source.ReadString(scratch);
        bool isSliding = name.SequenceEqual(RdbSliding.Name);
        bool isActivity = name.SequenceEqual(RdbActivity.Name);
        ReadOnlySpan<byte> value = source.ReadString(scratch);
        if (isActivity)
            Activity = RdbActivity.Parse(value);
        if (isSliding && RdbSliding.TryParse(value, out SlidingExpiry sliding))
            Sliding = sliding;
    }
}
