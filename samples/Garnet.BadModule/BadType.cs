// A type whose code fails. Immutable; any thread.
using Garnet.Modules;

namespace Garnet.BadModule;

/// <summary>Can neither be saved nor loaded.</summary>
public sealed class BadType : ModuleType, IModuleType<BadType>
{
    private BadType()
        : base("bad-type1") { }

    public static BadType Instance { get; } = new();

    public override void Save(ReadOnlySpan<byte> payload, TypeWriter writer) => throw new InvalidDataException("in Save");

    public override byte[]? Load(TypeReader reader, int version) => throw new InvalidDataException("in Load");
}
