// Receives what is known of a key beside its value. Called on the reading thread, possibly several times for one read.
namespace Garnet.Store;

/// <summary>A reader that ignores the value, which is empty for it while the value is on disk.</summary>
internal interface IKeyReader : IValueReader;
