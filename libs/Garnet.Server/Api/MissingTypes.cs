// What becomes of values of unknown types. Immutable, any thread.
namespace Garnet;

/// <summary>What the server does with a value whose type no module has added.</summary>
public enum MissingTypes
{
    /// <summary>The file or payload is not loaded.</summary>
    Refuse,

    /// <summary>
    /// Its bytes are kept under the key, saved and replicated as they are, and become a value when a module with the type is loaded.
    /// </summary>
    Keep,
}
