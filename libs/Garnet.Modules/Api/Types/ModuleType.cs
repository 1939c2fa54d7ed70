// A type of value that a module adds. Immutable; any thread.
using Garnet.Modules.Running;

namespace Garnet.Modules;

/// <summary>
/// A type of value whose bytes only its module understands. TYPE, OBJECT, MEMORY USAGE, DUMP, RESTORE, COPY, expiry, eviction, snapshots
/// and the append-only log work with its keys. Commands access them with <see cref="CustomKey{T}"/>. A class derives from this one, and its
/// only instance is added with <see cref="IModuleHost.AddType"/>.
/// </summary>
public abstract class ModuleType
{
    /// <summary>Declares a type.</summary>
    /// <param name="name">
    /// Exactly nine letters, digits, hyphens or underscores, by which files refer to the type; never change it.
    /// </param>
    /// <param name="version">Version of the saved form, 0 to 1023; values that a later version saved are refused.</param>
    /// <exception cref="ArgumentException">The name or version is outside of its range.</exception>
    protected ModuleType(string name, int version = 0) => Inner = new TypeOfModule(this, name, version);

    /// <summary>The name.</summary>
    public string Name => Inner.Name;

    internal TypeOfModule Inner { get; }

    /// <summary>
    /// Saves a value for DUMP and snapshots; the default writes its bytes as they are. Any thread, while the value is not changed.
    /// </summary>
    /// <param name="payload">The bytes that the module's commands have set.</param>
    /// <param name="writer">Takes the value's items in order.</param>
    public virtual void Save(ReadOnlySpan<byte> payload, TypeWriter writer) => writer.Write(payload);

    /// <summary>
    /// Loads a value that <see cref="Save"/> wrote, from bytes that may be damaged or hostile: it checks whatever its commands rely on. Any
    /// thread.
    /// </summary>
    /// <param name="reader">The items in order; all must be read.</param>
    /// <param name="version">The version that saved them, at most the type's.</param>
    /// <returns>The bytes to set; null when the items are no value of this type.</returns>
    public virtual byte[]? Load(TypeReader reader, int version) =>
        reader.TryRead(out ReadOnlySpan<byte> payload) && IsValid(payload) ? payload.ToArray() : null;

    /// <summary>Whether bytes are a value of this type, for types that are saved as they are.</summary>
    protected virtual bool IsValid(ReadOnlySpan<byte> payload) => true;
}
