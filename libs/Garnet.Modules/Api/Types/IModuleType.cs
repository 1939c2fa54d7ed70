// How a key's type is known from a parameter of a command.
namespace Garnet.Modules;

/// <summary>Implemented by each <see cref="ModuleType"/> for itself: <c>class Filter : ModuleType, IModuleType&lt;Filter&gt;</c>.</summary>
/// <typeparam name="T">The type itself.</typeparam>
public interface IModuleType<T>
    where T : ModuleType
{
    /// <summary>The only instance, which was added with <see cref="IModuleHost.AddType"/>.</summary>
    static abstract T Instance { get; }
}
