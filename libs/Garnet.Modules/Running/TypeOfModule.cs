// A module's type as the store sees it. Immutable; any thread.
using Garnet.Store.DataTypes;

namespace Garnet.Modules.Running;

/// <summary>
/// Passes saving and loading on to the module; what its code throws makes a value unreadable instead of ending the server.
/// </summary>
internal sealed class TypeOfModule(ModuleType type, string name, int version) : CustomType(name, version)
{
    /// <inheritdoc/>
    public override void Save(ReadOnlySpan<byte> payload, ICustomValueWriter writer)
    {
        try
        {
            type.Save(payload, new TypeWriter(writer));
        }
        catch (Exception e) when (e is not (OutOfMemoryException or IOException))
        {
            // A snapshot fails as it does when the disk fails; the server goes on.
            throw new IOException($"the type '{Name}' cannot save a value: {e.GetType().Name}: {e.Message}", e);
        }
    }

    /// <inheritdoc/>
    public override byte[]? Load(ICustomValueReader reader, int version)
    {
        try
        {
            return type.Load(new TypeReader(reader), version);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return null;
        }
    }
}
