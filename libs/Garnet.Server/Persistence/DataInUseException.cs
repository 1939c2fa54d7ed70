// Another server writes the data files. Immutable.
namespace Garnet.Server.Persistence;

/// <summary>Says which files are in use, by whom, and what to do.</summary>
internal sealed class DataInUseException(string data, string holder)
    : IOException(
        $"{data} is in use by {holder}, which writes to it. End that server, or give this one another dir, dbfilename or appenddirname"
    );
