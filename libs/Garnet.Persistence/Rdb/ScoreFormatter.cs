// How a score becomes text. Stateless; any thread.
namespace Garnet.Persistence.Rdb;

/// <summary>
/// Writes the shortest text of a score, as sorted sets in listpacks have it, and answers its length; the destination has
/// <see cref="RdbPayloadWriter.MaxScoreText"/> bytes.
/// </summary>
public delegate int ScoreFormatter(double score, Span<byte> destination);
