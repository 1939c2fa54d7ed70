// A type whose code fails. Immutable; any thread.
using Garnet.Modules;

namespace Garnet.BadModule;

/// <summary>Can neither be saved nor loaded.</summary>
public sealed class BadType : ModuleType, IModuleType<BadType>
{
    private BadType()
        : base("bad-type1") { }

    public static BadType Instance { get; } = new();

    /// <summary>A value whose saving begins and never ends.</summary>
    public static ReadOnlySpan<byte> Hanging => "hanging"u8;

    public override void Save(ReadOnlySpan<byte> payload, TypeWriter writer)
    {
        if (!payload.SequenceEqual(Hanging))
            throw new InvalidDataException("in Save");
        writer.Write(payload);
        Thread.Sleep(Timeout.Infinite);
    }

    public override byte[]? Load(TypeReader reader, int version) => throw new InvalidDataException("in Load");
}
