// Statements of the syntax tree. Immutable after parsing; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>A statement, with the line that errors in it report.</summary>
internal abstract class Statement
{
    public required int Line { get; init; }

    internal sealed class Local(List<LocalVariable> variables, List<Expression> values) : Statement
    {
        public List<LocalVariable> Variables => variables;

        public List<Expression> Values => values;
    }

    internal sealed class Assignment(List<Expression> targets, List<Expression> values) : Statement
    {
        public List<Expression> Targets => targets;

        public List<Expression> Values => values;
    }

    internal sealed class Call(Expression expression) : Statement
    {
        public Expression Expression => expression;
    }

    internal sealed class LocalFunction(LocalVariable variable, Expression function) : Statement
    {
        public LocalVariable Variable => variable;

        public Expression Function => function;
    }

    internal sealed class Block(List<Statement> statements) : Statement
    {
        public List<Statement> Statements => statements;
    }

    internal sealed class If(List<(Expression Condition, List<Statement> Body)> branches, List<Statement>? otherwise) : Statement
    {
        public List<(Expression Condition, List<Statement> Body)> Branches => branches;

        public List<Statement>? Otherwise => otherwise;
    }

    internal sealed class While(Expression condition, List<Statement> body) : Statement
    {
        public Expression Condition => condition;

        public List<Statement> Body => body;
    }

    internal sealed class Repeat(List<Statement> body, Expression condition) : Statement
    {
        public List<Statement> Body => body;

        public Expression Condition => condition;
    }

    internal sealed class NumericFor(LocalVariable variable, Expression first, Expression limit, Expression? step, List<Statement> body)
        : Statement
    {
        public LocalVariable Variable => variable;

        public Expression First => first;

        public Expression Limit => limit;

        public Expression? Step => step;

        public List<Statement> Body => body;
    }

    internal sealed class GenericFor(List<LocalVariable> variables, List<Expression> values, List<Statement> body) : Statement
    {
        public List<LocalVariable> Variables => variables;

        public List<Expression> Values => values;

        public List<Statement> Body => body;
    }

    internal sealed class Break : Statement;

    internal sealed class Return(List<Expression> values) : Statement
    {
        public List<Expression> Values => values;
    }
}
