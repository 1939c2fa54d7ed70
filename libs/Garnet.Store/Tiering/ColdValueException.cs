// A value on disk was needed by code that had not waited for it. Immutable.
namespace Garnet.Store.Tiering;

/// <summary>A command needs a value that is on disk, of a key for which nothing has waited.</summary>
/// <param name="message">Why the value could not be read at once.</param>
internal sealed class ColdValueException(string message) : InvalidOperationException(message);
