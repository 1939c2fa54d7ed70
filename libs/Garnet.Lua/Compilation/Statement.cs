// Statements of the syntax tree. Immutable after parsing; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>A statement, with the line that errors in it report.</summary>
internal abstract class Statement
{
    public required int Line { get; init; }

    internal sealed class Local(List<LocalVariable> variables, Expression[] values) : Statement
    {
        public List<LocalVariable> Variables => variables;

        public Expression[] Values => values;
    }

    internal sealed class Assignment(Expression[] targets, Expression[] values) : Statement
    {
        public Expression[] Targets => targets;

        public Expression[] Values => values;
    }

    /// <summary>An assignment of one value to one variable.</summary>
    internal sealed class SingleAssignment(Expression target, Expression value) : Statement
    {
        public Expression Target => target;

        public Expression Value => value;
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

    internal sealed class Block(Statement[] statements) : Statement
    {
        public Statement[] Statements => statements;
    }

    internal sealed class If(List<(Expression Condition, Statement[] Body)> branches, Statement[]? otherwise) : Statement
    {
        public List<(Expression Condition, Statement[] Body)> Branches => branches;

        public Statement[]? Otherwise => otherwise;
    }

    internal sealed class While(Expression condition, Statement[] body) : Statement
    {
        public Expression Condition => condition;

        public Statement[] Body => body;
    }

    internal sealed class Repeat(Statement[] body, Expression condition) : Statement
    {
        public Statement[] Body => body;

        public Expression Condition => condition;
    }

    internal sealed class NumericFor(LocalVariable variable, Expression first, Expression limit, Expression? step, Statement[] body)
        : Statement
    {
        public LocalVariable Variable => variable;

        public Expression First => first;

        public Expression Limit => limit;

        public Expression? Step => step;

        public Statement[] Body => body;
    }

    internal sealed class GenericFor(List<LocalVariable> variables, Expression[] values, Statement[] body) : Statement
    {
        public List<LocalVariable> Variables => variables;

        public Expression[] Values => values;

        public Statement[] Body => body;
    }

    internal sealed class Break : Statement;

    internal sealed class Return(Expression[] values) : Statement
    {
        public Expression[] Values => values;
    }
}
